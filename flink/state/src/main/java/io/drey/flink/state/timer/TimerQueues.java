package io.drey.flink.state.timer;

import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.foundation.HeapShare;
import io.drey.keyed.timer.TimerLimits;
import io.drey.keyed.timer.TimerSet;
import io.drey.keyed.timer.TimerStore;
import io.drey.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.runtime.state.KeyExtractorFunction;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.PriorityComparable;
import org.apache.flink.runtime.state.PriorityComparator;
import org.apache.flink.runtime.state.RegisteredPriorityQueueStateBackendMetaInfo;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueElement;
import org.apache.flink.runtime.state.heap.KeyGroupPartitionedPriorityQueue;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.StateMigrationException;

/** Creates timer queues and registers them, so that snapshots hold them like any state. One thread. */
public final class TimerQueues {
    /** That the next timers of all operators of a process share. */
    private static final HeapShare HEAP = HeapShare.ofJvm(32);

    /** On the heap, of one timer in each of the two queues that an operator has mostly. */
    private static final int TIMER_BYTES = 2 * 64;

    private final Store store;
    private final StateTables tables;
    private final KeyGroupRange keyGroups;
    private final int keyGroupsOfJob;
    private final int cacheSizeMax;
    private final Lock lock;
    private final Map<String, List<TimerSet>> sets = new LinkedHashMap<>();
    private boolean isOpen;

    public TimerQueues(
            Store store, StateTables tables, KeyGroupRange keyGroups, int keyGroupsOfJob, int cacheSizeMax, Lock lock) {
        this.store = store;
        this.tables = tables;
        this.keyGroups = keyGroups;
        this.keyGroupsOfJob = keyGroupsOfJob;
        this.cacheSizeMax = cacheSizeMax;
        this.lock = lock;
    }

    private TimerStore timerStore(StateTable table) {
        return new TimerStore(store, table.info().getName(), table.number());
    }

    /** The queue of a name, restored or new. Who asks again has its elements; the queue of before is at its end. */
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String name, TypeSerializer<T> asked, boolean allowFutureMetadataUpdates) {
        TypeSerializer<T> serializer = compatible(name, asked);
        boolean isNew = tables.queue(name) == null;
        StateTable table = register(name, serializer, allowFutureMetadataUpdates);
        if (!isNew) {
            timerStore(table).expect();
        }
        sets.getOrDefault(name, List.of()).forEach(TimerSet::writeImage);
        List<TimerSet> opened = new ArrayList<>();
        KeyGroupedInternalPriorityQueue<T> queue = serializer instanceof TimerSerializer
                ? queue(open(table, isNew, keyGroups), keyGroups, serializer, opened)
                : queueByKeyGroup(table, isNew, serializer, opened);
        sets.put(name, opened);
        return queue;
    }

    private <T extends Keyed<?>> TimerQueue<T> queue(
            TimerSet set, KeyGroupRange range, TypeSerializer<T> serializer, List<TimerSet> opened) {
        opened.add(set);
        return new TimerQueue<>(set, range, keyGroupsOfJob, serializer);
    }

    /**
     * The bytes of anything but timers are in order within a key group only: across key groups, elements are compared.
     */
    private <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> queueByKeyGroup(
                    StateTable table, boolean isNew, TypeSerializer<T> serializer, List<TimerSet> opened) {
        return new KeyGroupPartitionedPriorityQueue<T, TimerQueue<T>>(
                KeyExtractorFunction.forKeyedObjects(),
                PriorityComparator.forPriorityComparableObjects(),
                (keyGroup, groups, keyExtractor, comparator) -> {
                    KeyGroupRange range = new KeyGroupRange(keyGroup, keyGroup);
                    return queue(open(table, isNew, range), range, serializer, opened);
                },
                keyGroups,
                keyGroupsOfJob);
    }

    private TimerSet open(StateTable table, boolean isNew, KeyGroupRange range) {
        if (!isOpen) {
            isOpen = true;
            HEAP.enter();
        }
        int cacheSize = (int) Math.min(cacheSizeMax, HEAP.bytes() / TIMER_BYTES);
        int share = Math.max(1, cacheSize / keyGroups.getNumberOfKeyGroups() * range.getNumberOfKeyGroups());
        TimerSet set = new TimerSet(
                timerStore(table),
                TimerLimits.of(share, range.getNumberOfKeyGroups()),
                range.getStartKeyGroup(),
                range.getNumberOfKeyGroups(),
                lock);
        if (!isNew) {
            for (int keyGroup : range) {
                set.restore(keyGroup);
            }
        }
        return set;
    }

    /** Leaves the heap to others; nothing is asked of the queues any more. */
    public void close() {
        if (isOpen) {
            isOpen = false;
            HEAP.leave();
        }
    }

    /** Brings the store up to date for a snapshot of its files, which is to be taken next. */
    public void beforeCheckpoint() {
        for (List<TimerSet> queue : sets.values()) {
            for (TimerSet set : queue) {
                set.writeImage();
            }
        }
    }

    /**
     * Brings the tables up to date for a snapshot of their rows. Queues that nobody has asked for since they were
     * restored are opened for that and forgotten again: what they write adds nothing to what a restore finds.
     */
    public void beforeCanonicalSavepoint() {
        for (StateTable table : tables.all()) {
            if (!table.isKeyValue()) {
                List<TimerSet> queue = sets.get(table.info().getName());
                for (TimerSet set : queue != null ? queue : List.of(open(table, false, keyGroups))) {
                    set.writeRows();
                }
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
        if (known == null) {
            try {
                return tables.register(info);
            } catch (StateMigrationException e) {
                throw new FlinkRuntimeException(e);
            }
        }
        known.info(info);
        return known;
    }

    /**
     * The serializer that Flink has made of the one asked for, so that it reads what is there. Elements are keys in the
     * store, ordered by their bytes: they are read as they are or not at all.
     */
    @SuppressWarnings({"unchecked", "ReferenceEquality"})
    private <T> TypeSerializer<T> compatible(String name, TypeSerializer<T> asked) {
        StateTable known = tables.queue(name);
        if (known == null) {
            return asked;
        }
        RegisteredPriorityQueueStateBackendMetaInfo<T> info =
                (RegisteredPriorityQueueStateBackendMetaInfo<T>) known.info();
        if (info.getPreviousElementSerializer() == asked) {
            return asked;
        }
        TypeSerializerSchemaCompatibility<T> compatibility = info.updateElementSerializer(asked);
        if (compatibility.isIncompatible() || compatibility.isCompatibleAfterMigration()) {
            throw new FlinkRuntimeException(new StateMigrationException(
                    "expected a serializer that reads the timers '" + name + "' as they are, found that " + asked
                            + " would have to write them anew, or cannot read them: timers are not migrated; keep the"
                            + " serializers of their keys and namespaces"));
        }
        return info.getElementSerializer();
    }
}
