package io.drey.flink.state.timer;

import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.store.Store;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyExtractorFunction;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.PriorityComparable;
import org.apache.flink.runtime.state.PriorityComparator;
import org.apache.flink.runtime.state.RegisteredPriorityQueueStateBackendMetaInfo;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueElement;
import org.apache.flink.runtime.state.heap.KeyGroupPartitionedPriorityQueue;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.StateMigrationException;

/** Creates timer queues and registers them, so that snapshots hold them like any state. */
public final class TimerQueues {
    private final Store store;
    private final StateTables tables;
    private final KeyGroupRange keyGroups;
    private final int keyGroupsOfJob;
    private final int cacheSize;
    private final DataOutputSerializer out = new DataOutputSerializer(128);
    private final DataInputDeserializer in = new DataInputDeserializer();

    public TimerQueues(Store store, StateTables tables, KeyGroupRange keyGroups, int keyGroupsOfJob, int cacheSize) {
        this.store = store;
        this.tables = tables;
        this.keyGroups = keyGroups;
        this.keyGroupsOfJob = keyGroupsOfJob;
        this.cacheSize = cacheSize;
    }

    /** The queue of a name, restored or new. */
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String name, TypeSerializer<T> serializer, boolean allowFutureMetadataUpdates) {
        int table = register(name, serializer, allowFutureMetadataUpdates).number();
        return new KeyGroupPartitionedPriorityQueue<T, TimerSet<T>>(
                KeyExtractorFunction.forKeyedObjects(),
                PriorityComparator.forPriorityComparableObjects(),
                (keyGroup, groups, keyExtractor, comparator) ->
                        new TimerSet<>(new TimerStore(store, table, keyGroup), cacheSize, serializer, out, in),
                keyGroups,
                keyGroupsOfJob);
    }

    private <T> StateTable register(String name, TypeSerializer<T> serializer, boolean allowFutureMetadataUpdates) {
        RegisteredPriorityQueueStateBackendMetaInfo<T> info =
                new RegisteredPriorityQueueStateBackendMetaInfo<>(name, serializer);
        if (allowFutureMetadataUpdates) {
            info = info.withSerializerUpgradesAllowed();
        }
        StateTable known = tables.queue(name);
        try {
            if (known == null) {
                return tables.register(info);
            }
            checkCompatible(known, serializer);
        } catch (StateMigrationException e) {
            throw new FlinkRuntimeException(e);
        }
        known.info(info);
        return known;
    }

    /** Elements are keys in the store, ordered by their bytes: they are read as they are or not at all. */
    @SuppressWarnings({"unchecked", "ReferenceEquality"})
    private static <T> void checkCompatible(StateTable known, TypeSerializer<T> serializer)
            throws StateMigrationException {
        RegisteredPriorityQueueStateBackendMetaInfo<T> info =
                (RegisteredPriorityQueueStateBackendMetaInfo<T>) known.info();
        if (info.getPreviousElementSerializer() != serializer
                && info.updateElementSerializer(serializer).isIncompatible()) {
            throw new StateMigrationException("The new priority queue serializer must not be incompatible.");
        }
    }
}
