package io.drey.keyed.timer;

import io.drey.store.read.MapScan;
import java.util.concurrent.locks.Lock;

/**
 * The serialized elements of a timer queue, or of some key groups of it, as one set: the next ones of all key groups in
 * {@link HeapTimers}, all others in {@link StoredTimers}. They come by rank; those of one rank come in byte order
 * within a key group, and in any order across key groups. One thread.
 *
 * <ol>
 *   <li>Each key group has a bound: its elements below are near, and only there; those above are far, and only in the
 *       store. A key group without far elements has none.
 *   <li>The first near element is the first of all unless a bound is below it: then that group's next bucket is loaded.
 *   <li>If too many are near, the upper half becomes far, and the bounds of its key groups are lowered.
 *   <li>Near elements are in the store only as {@link HeapTimerImage}, written before each snapshot.
 * </ol>
 */
public final class TimerSet {
    private final TimerStore store;
    private final TimerLimits limits;
    private final HeapTimers near;
    private final StoredTimers far;
    private final HeapTimerImage image;
    private final Lock lock;
    private final Element first = new Element();
    private final Element bound = new Element();
    private final Element moved = new Element();
    private long version;

    /**
     * A set without elements.
     *
     * @param lock held while the store is used, which may belong to other threads meanwhile
     */
    public TimerSet(TimerStore store, TimerLimits limits, int keyGroupFrom, int keyGroups, Lock lock) {
        this.store = store;
        this.lock = lock;
        this.limits = limits;
        this.near = new HeapTimers(keyGroupFrom);
        this.far = new StoredTimers(store, limits, keyGroupFrom, keyGroups);
        this.image = new HeapTimerImage(store, near, keyGroupFrom, keyGroups);
    }

    /** Learns of the elements of a key group that the store was restored with. */
    public void restore(int keyGroup) {
        image.restore(keyGroup, far.restorer(keyGroup), this::put);
        MapScan loose = store.scanLoose(keyGroup);
        boolean isLoose = false;
        while (loose.next()) {
            put(moved.at(keyGroup, loose.bytes(), loose.keyOffset(), loose.keyLength()));
            isLoose = true;
        }
        if (isLoose) {
            store.clearLoose(keyGroup);
        }
    }

    /** Finds the first element; false if there is none. Then {@link #first} is valid until the next change. */
    public boolean settle() {
        while (!far.isEmpty()) {
            if (!near.isEmpty() && near.firstRank() <= far.nextRank()) {
                return true;
            }
            load();
        }
        return !near.isEmpty();
    }

    private void load() {
        int room = (limits.nearMax() - near.weight()) / 2;
        lock.lock();
        try {
            far.load(near, Math.max(2 * limits.bucketFill(), room));
        } finally {
            lock.unlock();
        }
        version++;
    }

    /** The first element, found by {@link #settle}. */
    public Element first() {
        return near.first(first);
    }

    /** Removes the first element, found by {@link #settle}. */
    public void removeFirst() {
        near.removeFirst();
        version++;
    }

    /** Changes whenever the first element may have changed. */
    public long version() {
        return version;
    }

    /** Adds an element, which may be there already; true if it has become the first one. */
    public boolean add(Element element) {
        settle();
        return put(element);
    }

    private boolean put(Element element) {
        if (!far.isNear(element)) {
            lock.lock();
            try {
                far.put(element);
            } finally {
                lock.unlock();
            }
            return false;
        }
        if (!near.add(element)) {
            return false;
        }
        boolean isFirst = near.addedFirst();
        version += isFirst ? 1 : 0;
        if (near.weight() > limits.nearMax() && near.size() > 1) {
            spill();
        }
        return isFirst;
    }

    /** Removes an element, which may not be there; true if it was the first one. */
    public boolean remove(Element element) {
        settle();
        if (!far.isNear(element)) {
            lock.lock();
            try {
                far.remove(element);
            } finally {
                lock.unlock();
            }
            return false;
        }
        boolean wasFirst = near.remove(element) && near.removedFirst();
        version += wasFirst ? 1 : 0;
        return wasFirst;
    }

    /** Makes about the upper half of the near elements far: whole ranks, unless all of them are of one. */
    private void spill() {
        near.middle(bound);
        long rank = bound.rank();
        byte[] lastNear = null;
        if (rank == near.firstRank()) {
            if (rank < near.lastRank()) {
                rank = near.rankAbove(rank);
            } else {
                lastNear = near.before(bound, moved).toArray();
            }
        }
        if (lastNear == null) {
            bound.before(rank);
        }
        long boundRank = rank;
        byte[] boundBytes = lastNear;
        lock.lock();
        try {
            near.takeFrom(bound, moved, element -> {
                if (far.isNear(element)) {
                    far.lower(element.keyGroup(), boundRank, boundBytes);
                }
                far.put(element);
            });
        } finally {
            lock.unlock();
        }
    }

    /** The number of elements; the far ones are read to count them. */
    public int size() {
        lock.lock();
        try {
            return near.size() + far.count();
        } finally {
            lock.unlock();
        }
    }

    /** Hands out some elements of a key group after one of them, or from the first on if that is null, in order. */
    void collect(int keyGroup, byte[] after, TimerBatch batch) {
        near.walk(keyGroup, after, moved, batch);
        lock.lock();
        try {
            for (int bucket = 0; batch.isEmpty() && far.collect(keyGroup, after, bucket, batch); bucket++) {
                // An empty bucket: the next one may have some.
            }
        } finally {
            lock.unlock();
        }
    }

    /** Writes near elements of changed key groups into the store, for a snapshot of its files, which is taken next. */
    public void writeImage() {
        image.write();
    }

    /** Writes each near element into the store as a row, for a snapshot of its rows, which is taken next. */
    public void writeRows() {
        image.writeLoose();
    }

    /** What is on the heap, for tests. */
    HeapTimers near() {
        return near;
    }

    StoredTimers far() {
        return far;
    }
}
