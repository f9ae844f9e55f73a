package io.drey.flink.state.table;

import io.drey.store.Store;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.TableKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerUtil;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.RegisteredStateMetaInfoBase;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshotReadersWriters;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshotWrapper;
import org.apache.flink.util.StateMigrationException;
import org.apache.flink.util.function.ThrowingConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All states and timer queues of a backend, restored or registered, in the order in which they came. One thread. */
public final class StateTables {
    private static final Logger LOG = LoggerFactory.getLogger(StateTables.class);

    private final Store store;
    private final Map<String, StateTable> tables = new LinkedHashMap<>();

    /** What the parent says of a table whose serializers count: the first that has entries of it, or else the first. */
    private final Map<String, StateMetaInfoSnapshot> restored = new HashMap<>();

    private final Map<String, List<KeyGroupRange>> restoredParts = new HashMap<>();

    public StateTables(Store store) {
        this.store = store;
    }

    /** The table of a state, or null. */
    public StateTable keyValue(String state) {
        return tables.get(StateTable.keyValueName(state));
    }

    /** The table of a timer queue, or null. */
    public StateTable queue(String queue) {
        return tables.get(StateTable.queueName(queue));
    }

    /** Makes the table of a state or timer queue that is not known yet. */
    public StateTable register(RegisteredStateMetaInfoBase info) throws StateMigrationException {
        String name = StateTable.name(info);
        TableKind kind = StateTable.kind(info);
        StateTable table = new StateTable(store.table(name, kind), kind, info);
        if (tables.putIfAbsent(name, table) != null) {
            throw new IllegalStateException("expected no table " + name + " yet, found one");
        }
        return table;
    }

    /**
     * The table of a restored state or timer queue; several parents may bring the same one.
     *
     * @param source what it was read from, if that is known: bytes that it is among
     * @param keyGroups those of which this parent has given the entries; none if they come later
     */
    public StateTable restore(StateMetaInfoSnapshot snapshot, byte[] source, KeyGroupRange keyGroups)
            throws StateMigrationException, InterruptedException {
        RegisteredStateMetaInfoBase info = RegisteredKeyValueStateBackendMetaInfo.fromMetaInfoSnapshot(snapshot);
        boolean isNew = !tables.containsKey(StateTable.name(info));
        StateTable table = restore(info, snapshot, source);
        List<KeyGroupRange> parts = restoredParts.computeIfAbsent(StateTable.name(info), any -> new ArrayList<>());
        CommonSerializerKeys other = isNew ? null : otherSchema(restored.get(StateTable.name(info)), snapshot);
        if (other != null && mayHaveEntries(table, List.of(keyGroups))) {
            checkOneSchema(other, table, parts);
            table.info(info);
            begin(table, snapshot, source);
        }
        parts.add(keyGroups);
        return table;
    }

    /** The same of a parent that has no entries of it, and so nothing to say of how they are written. */
    public void restoreWithoutEntries(StateMetaInfoSnapshot snapshot, byte[] source) throws StateMigrationException {
        restore(RegisteredKeyValueStateBackendMetaInfo.fromMetaInfoSnapshot(snapshot), snapshot, source);
    }

    private StateTable restore(RegisteredStateMetaInfoBase info, StateMetaInfoSnapshot snapshot, byte[] source)
            throws StateMigrationException {
        StateTable table = tables.get(StateTable.name(info));
        if (table == null) {
            table = register(info);
            begin(table, snapshot, source);
        } else if (table.kind() != StateTable.kind(info)) {
            throw new StateMigrationException("expected state " + info.getName() + " to be of one type in all parts of"
                    + " the snapshot, found " + table.info() + " and " + info);
        }
        return table;
    }

    private void begin(StateTable table, StateMetaInfoSnapshot snapshot, byte[] source) throws StateMigrationException {
        restored.put(StateTable.name(table.info()), snapshot);
        table.restored(again(snapshot, source));
    }

    /** A subtask migrates a state when it first uses it, which one without any entries of it may never do. */
    private void checkOneSchema(CommonSerializerKeys other, StateTable table, List<KeyGroupRange> before)
            throws StateMigrationException, InterruptedException {
        if (mayHaveEntries(table, before)) {
            throw new StateMigrationException("expected state " + table.info().getName() + " to have one schema in all"
                    + " parts of the snapshot, found parts that were migrated to another "
                    + other.toString().toLowerCase(Locale.ROOT).replace('_', ' ')
                    + " and parts that were not: restore"
                    + " it with the parallelism that it has, use the state in all subtasks, and take another"
                    + " snapshot");
        }
    }

    /** False if there are none. A timer queue has them in other tables too, and the rows of savepoints come later. */
    private boolean mayHaveEntries(StateTable table, List<KeyGroupRange> parts) throws InterruptedException {
        if (!table.isKeyValue() || parts.contains(KeyGroupRange.EMPTY_KEY_GROUP_RANGE)) {
            return true;
        }
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
            for (KeyGroupRange part : parts) {
                try (EntryCursor cursor =
                        snapshot.scan(table.number(), part.getStartKeyGroup(), part.getEndKeyGroup())) {
                    if (cursor.next()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * A snapshot to write again, of which Flink's registrations change nothing; null if it would not write what it was
     * read from. Flink writes none that it has read, so what users' write then may be anything, and lack what could
     * not be read.
     */
    private static StateMetaInfoSnapshot again(StateMetaInfoSnapshot snapshot, byte[] source) {
        Map<String, TypeSerializerSnapshot<?>> serializers =
                new LinkedHashMap<>(snapshot.getSerializerSnapshotsImmutable());
        serializers.replaceAll((key, serializer) -> copy(serializer));
        StateMetaInfoSnapshot again = new StateMetaInfoSnapshot(
                snapshot.getName(), snapshot.getBackendStateType(), snapshot.getOptionsImmutable(), serializers);
        byte[] written =
                bytes(out -> StateMetaInfoSnapshotReadersWriters.getWriter().writeStateMetaInfoSnapshot(again, out));
        return written != null && text(source).contains(text(written)) ? again : null;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /**
     * The serializer by which a parent's entries are not as another's; null if there is none. All is read with those of
     * one parent. Others may have migrated the state or not: subtasks do that when they first use it. Only what one of
     * them says for certain that has to be migrated is another one: a class that has changed again meanwhile may not be
     * able to tell, nor what was not migrated of what was.
     */
    private static CommonSerializerKeys otherSchema(StateMetaInfoSnapshot first, StateMetaInfoSnapshot other) {
        for (CommonSerializerKeys key : CommonSerializerKeys.values()) {
            TypeSerializerSnapshot<?> one = first.getTypeSerializerSnapshot(key);
            TypeSerializerSnapshot<?> another = other.getTypeSerializerSnapshot(key);
            if (one != null
                    && another != null
                    && !isSame(one, another)
                    && (isTimedInOne(one, another)
                            || isOther(compatibility(one, another), compatibility(another, one)))) {
                return key;
            }
        }
        return null;
    }

    /** Whether only one has written times of last access, which Flink's snapshots do not compare; false if unknown. */
    private static boolean isTimedInOne(TypeSerializerSnapshot<?> one, TypeSerializerSnapshot<?> another) {
        try {
            return isWithTime(one.restoreSerializer()) != isWithTime(another.restoreSerializer());
        } catch (RuntimeException e) {
            LOG.debug("No serializers can be made of {} and {}", one, another, e);
            return false;
        }
    }

    /**
     * Whether a state's serializer writes each value with the time of its last access. Flink's own question misses
     * values of a map whose keys' serializer was reconfigured, which it wraps.
     */
    public static boolean isWithTime(TypeSerializer<?> serializer) {
        TtlAwareSerializer<?, ?> aware = TtlAwareSerializer.wrapTtlAwareSerializer(serializer);
        return aware instanceof TtlAwareSerializer.TtlAwareMapSerializer<?, ?> map
                ? map.getValueSerializer().isTtlEnabled()
                : aware.isTtlEnabled();
    }

    private static boolean isSame(TypeSerializerSnapshot<?> one, TypeSerializerSnapshot<?> another) {
        byte[] bytes = bytes(out -> TypeSerializerSnapshot.writeVersionedSnapshot(out, one));
        return bytes != null
                && Arrays.equals(bytes, bytes(out -> TypeSerializerSnapshot.writeVersionedSnapshot(out, another)));
    }

    /** What a snapshot writes; null if it cannot: Flink writes none that it has read, and users' may not be able to. */
    private static byte[] bytes(ThrowingConsumer<DataOutputSerializer, IOException> snapshot) {
        DataOutputSerializer out = new DataOutputSerializer(64);
        try {
            snapshot.accept(out);
        } catch (IOException | RuntimeException e) {
            LOG.debug("A snapshot of a serializer cannot be written again", e);
            return null;
        }
        return out.getCopyOfBuffer();
    }

    private static boolean isOther(
            TypeSerializerSchemaCompatibility<?> one, TypeSerializerSchemaCompatibility<?> another) {
        return (isMigration(one) || isMigration(another)) && !isReader(one) && !isReader(another);
    }

    private static boolean isMigration(TypeSerializerSchemaCompatibility<?> compatibility) {
        return compatibility != null && compatibility.isCompatibleAfterMigration();
    }

    private static boolean isReader(TypeSerializerSchemaCompatibility<?> compatibility) {
        return compatibility != null
                && (compatibility.isCompatibleAsIs() || compatibility.isCompatibleWithReconfiguredSerializer());
    }

    /** Of a serializer with what another one has written; null if it cannot tell: Flink's of a POJO throws then. */
    @SuppressWarnings("unchecked")
    private static <T> TypeSerializerSchemaCompatibility<T> compatibility(
            TypeSerializerSnapshot<T> now, TypeSerializerSnapshot<?> before) {
        try {
            return ttlAware(now).resolveSchemaCompatibility(ttlAware((TypeSerializerSnapshot<T>) before));
        } catch (RuntimeException e) {
            LOG.debug("Serializers {} and {} cannot be compared", now, before, e);
            return null;
        }
    }

    /** As Flink compares them: what was reconfigured is kept so, what was not is not. Of a copy, which this changes. */
    private static <T> TypeSerializerSnapshot<T> ttlAware(TypeSerializerSnapshot<T> snapshot) {
        return new TtlAwareSerializerSnapshotWrapper<>(copy(snapshot)).getTtlAwareSerializerSnapshot();
    }

    @SuppressWarnings("unchecked")
    private static <T> TypeSerializerSnapshot<T> copy(TypeSerializerSnapshot<T> snapshot) {
        CompositeTypeSerializerSnapshot<?, ?> copy;
        if (snapshot instanceof ListSerializerSnapshot) {
            copy = new ListSerializerSnapshot<>();
        } else if (snapshot instanceof MapSerializerSnapshot) {
            copy = new MapSerializerSnapshot<>();
        } else {
            return snapshot;
        }
        CompositeTypeSerializerUtil.setNestedSerializersSnapshots(
                copy, ((CompositeTypeSerializerSnapshot<?, ?>) snapshot).getNestedSerializerSnapshots());
        return (TypeSerializerSnapshot<T>) copy;
    }

    public Collection<StateTable> all() {
        return tables.values();
    }

    /** What a snapshot stores of each table's type and serializers, in the order of {@link #all}. */
    public List<StateMetaInfoSnapshot> snapshot() {
        List<StateMetaInfoSnapshot> snapshots = new ArrayList<>(tables.size());
        for (StateTable table : tables.values()) {
            snapshots.add(table.snapshot());
        }
        return snapshots;
    }
}
