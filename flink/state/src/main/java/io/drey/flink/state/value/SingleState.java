package io.drey.flink.state.value;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StoredState;
import io.drey.store.entry.EntryKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * A state whose entry is one value: what value, reducing and aggregating state have in common. They read and write
 * through a {@link StateValues}.
 */
abstract class SingleState<K, N, V> extends StoredState<K, N, V> {
    private final StateValues<V> values;
    private long addressSeen;

    SingleState(KeyedStore<K> store, StateTable table) {
        super(store, table);
        values = new StateValues<>(store, table);
    }

    @Override
    public final void settle() throws IOException {
        store.enter();
        try {
            values.release();
        } finally {
            store.leave();
        }
    }

    @Override
    public void configure(StateDescriptor<?, V> descriptor, RegisteredKeyValueStateBackendMetaInfo<N, V> info) {
        super.configure(descriptor, info);
        values.configure(getValueSerializer());
    }

    /** The stored value, or null. */
    final V read() throws IOException {
        store.enter();
        try {
            EntryKey entry = address.row();
            return values.read(entry, isFirst());
        } finally {
            store.leave();
        }
    }

    /** Whether nothing was done under this key and namespace yet. */
    private boolean isFirst() {
        long seen = addressSeen;
        addressSeen = address.version();
        return seen != addressSeen;
    }

    final void write(V value) throws IOException {
        store.enter();
        try {
            EntryKey entry = address.row();
            values.write(entry, value, isFirst());
        } finally {
            store.leave();
        }
    }

    @Override
    public final void clear() {
        store.enter();
        try {
            values.clear(address.row());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            store.leave();
        }
    }

    /** Combines two values that merging brought together. */
    V combine(V first, V second) throws Exception {
        throw new UnsupportedOperationException(getClass() + " has no values to merge");
    }

    /** Moves the values of the sources, combined, into the target. */
    final void merge(N target, Collection<N> sources) throws Exception {
        if (sources == null || sources.isEmpty()) {
            return;
        }
        store.enter();
        try {
            mergeEntries(target, sources);
        } finally {
            store.leave();
        }
    }

    private void mergeEntries(N target, Collection<N> sources) throws Exception {
        EntryKey entry = new EntryKey();
        V merged = null;
        for (N source : sources) {
            if (source == null) {
                continue;
            }
            V value = values.read(address.addressInto(entry, source), false);
            if (value != null) {
                values.clear(entry);
                merged = merged == null ? value : combine(merged, value);
            }
        }
        if (merged != null) {
            V value = values.read(address.addressInto(entry, target), false);
            V result = value == null ? merged : combine(merged, value);
            if (result == null) {
                // Both have expired.
                values.clear(entry);
            } else {
                values.write(entry, result, false);
            }
        }
    }

    @Override
    public final void migrate(
            DataInputDeserializer prior,
            DataOutputSerializer migrated,
            TtlAwareSerializer<V, ?> priorSerializer,
            TtlAwareSerializer<V, ?> serializer,
            TtlTimeProvider time)
            throws IOException {
        serializer.migrateValueFromPriorSerializer(
                priorSerializer, () -> priorSerializer.deserialize(prior), migrated, time);
    }

    @Override
    protected final byte[] readForClient(KeyedStore<K> reader, EntryKey row, TypeSerializer<V> safeValueSerializer)
            throws IOException {
        return values.readForClient(reader, row, safeValueSerializer);
    }
}
