package io.drey.flink.state.timer;

import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.store.Store;
import io.drey.store.entry.TableKind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.PriorityComparable;
import org.apache.flink.runtime.state.RegisteredPriorityQueueStateBackendMetaInfo;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueElement;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.StateMigrationException;

/** Creates timer queues and registers them, so that snapshots hold them like any state. One thread. */
public final class TimerQueues {
    /** Names the table of a queue's buckets and of the image of its near elements; no state has such a name. */
    private static final String DIRECTORY = "pb:";

    private final Store store;
    private final StateTables tables;
    private final KeyGroupRange keyGroups;
    private final int keyGroupsOfJob;
    private final TimerLimits limits;
    private final Map<String, TimerSet> sets = new LinkedHashMap<>();

    public TimerQueues(Store store, StateTables tables, KeyGroupRange keyGroups, int keyGroupsOfJob, int cacheSize) {
        this.store = store;
        this.tables = tables;
        this.keyGroups = keyGroups;
        this.keyGroupsOfJob = keyGroupsOfJob;
        this.limits = TimerLimits.of(cacheSize, keyGroups.getNumberOfKeyGroups());
    }

    /** The queue of a name, restored or new. */
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String name, TypeSerializer<T> serializer, boolean allowFutureMetadataUpdates) {
        boolean isNew = tables.queue(name) == null;
        StateTable table = register(name, serializer, allowFutureMetadataUpdates);
        TimerSet set = set(name, table, isNew);
        if (serializer instanceof TimerSerializer) {
            set.relaxTies();
        }
        return new TimerQueue<>(set, keyGroups, keyGroupsOfJob, serializer);
    }

    private TimerSet set(String name, StateTable table, boolean isNew) {
        TimerSet known = sets.get(name);
        if (known != null) {
            return known;
        }
        int directory = store.table(DIRECTORY + name, TableKind.MAP);
        TimerSet set = new TimerSet(
                new TimerStore(store, table.number(), directory),
                limits,
                keyGroups.getStartKeyGroup(),
                keyGroups.getNumberOfKeyGroups());
        if (!isNew) {
            for (int keyGroup : keyGroups) {
                set.restore(keyGroup);
            }
        }
        sets.put(name, set);
        return set;
    }

    /** Brings the store up to date for a snapshot of its files, which is to be taken next. */
    public void beforeCheckpoint() {
        for (TimerSet set : sets.values()) {
            set.image().write();
        }
    }

    /** Brings the tables up to date for a snapshot of their rows, of queues too that nobody has asked for. */
    public void beforeCanonicalSavepoint() {
        for (StateTable table : tables.all()) {
            if (!table.isKeyValue()) {
                set(table.info().getName(), table, false).image().writeLoose();
            }
        }
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
