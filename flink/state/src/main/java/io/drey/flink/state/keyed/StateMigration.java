package io.drey.flink.state.keyed;

import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StoredState;
import io.drey.foundation.Bytes;
import io.drey.keyed.codec.EntryBody;
import io.drey.store.Store;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import java.io.IOException;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.util.StateMigrationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rewrites all values of a state whose serializer has a new format, or which gets or loses a time to live. Reads a
 * snapshot while it writes, so the state may be larger than memory.
 */
final class StateMigration {
    private static final Logger LOG = LoggerFactory.getLogger(StateMigration.class);

    private final Store store;
    private final KeyGroupRange keyGroups;
    private final TtlTimeProvider time;

    StateMigration(Store store, KeyGroupRange keyGroups, TtlTimeProvider time) {
        this.store = store;
        this.keyGroups = keyGroups;
        this.time = time;
    }

    /** Refuses what no rewriting of values could migrate: the keys of a map. */
    static <N, V> void checkMigratable(RegisteredKeyValueStateBackendMetaInfo<N, V> info)
            throws StateMigrationException {
        if (info.getStateType() == StateDescriptor.Type.MAP
                && info.getPreviousStateSerializerSnapshot() instanceof MapSerializerSnapshot<?, ?> previous
                && info.getStateSerializer() instanceof MapSerializer<?, ?> current
                && !hasCompatibleKeys(previous, current)) {
            throw new StateMigrationException(
                    "The new serializer for a MapState requires state migration in order for the"
                            + " job to proceed, since the key schema has changed. However, migration for MapState currently only"
                            + " allows value schema evolutions.");
        }
    }

    @SuppressWarnings("unchecked")
    private static <K> boolean hasCompatibleKeys(MapSerializerSnapshot<?, ?> previous, MapSerializer<?, ?> current) {
        TypeSerializerSnapshot<K> previousKeys = (TypeSerializerSnapshot<K>) previous.getKeySerializerSnapshot();
        TypeSerializer<K> keys = (TypeSerializer<K>) current.getKeySerializer();
        return keys.snapshotConfiguration()
                .resolveSchemaCompatibility(previousKeys)
                .isCompatibleAsIs();
    }

    /** Rewrites, by the serializers that the state's info holds: the previous and the current one. */
    <N, V> void rewrite(StateTable table, StoredState<?, N, V> state, RegisteredKeyValueStateBackendMetaInfo<N, V> info)
            throws StateMigrationException, InterruptedException {
        TtlAwareSerializer<V, ?> previous = ttlAware(info.getPreviousStateSerializer());
        TtlAwareSerializer<V, ?> current = ttlAware(info.getStateSerializer());
        LOG.info(
                "The values of state {} are rewritten, from {} to {}",
                info.getName(),
                info.getPreviousStateSerializer(),
                info.getStateSerializer());
        DataInputDeserializer in = new DataInputDeserializer();
        DataOutputSerializer out = new DataOutputSerializer(512);
        Bytes value = new Bytes();
        EntryBody body = new EntryBody();
        EntryKey entry = new EntryKey();
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
            try (EntryCursor cursor =
                    snapshot.scan(table.number(), keyGroups.getStartKeyGroup(), keyGroups.getEndKeyGroup())) {
                while (cursor.next()) {
                    value.clear();
                    value.append(cursor.valueAddress(), cursor.valueLength());
                    in.setBuffer(value.array(), 0, value.length());
                    out.clear();
                    state.migrate(in, out, previous, current, time);
                    checkReadToEnd(in, value.length());
                    body.read(cursor);
                    body.addressInto(entry, table.number(), cursor.keyGroup());
                    store.put(entry, out.getSharedBuffer(), 0, out.length());
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException("the migration of state " + info.getName() + " was interrupted");
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            throw new StateMigrationException(
                    "the values of state " + info.getName() + " could not be migrated from "
                            + info.getPreviousStateSerializer() + " to " + info.getStateSerializer(),
                    e);
        }
    }

    /** A serializer reads what it wrote; what it leaves it has not written. */
    private static void checkReadToEnd(DataInputDeserializer in, int length) throws IOException {
        if (in.available() > 0) {
            throw new IOException("expected all " + length + " bytes of a value to be read, found " + in.available()
                    + " bytes after the end of a value: another serializer wrote it; restore a snapshot from before"
                    + " the state's serializer changed, with the parallelism that it has");
        }
    }

    @SuppressWarnings("unchecked")
    private static <V> TtlAwareSerializer<V, ?> ttlAware(TypeSerializer<V> serializer) {
        return (TtlAwareSerializer<V, ?>) TtlAwareSerializer.wrapTtlAwareSerializer(serializer);
    }
}
