package io.drey.flink.state.timer;

import io.drey.store.MapScan;
import java.util.Arrays;

/**
 * The timers of a queue that are not near: in the store, in one map per key group and bucket of time. Adding one writes
 * its entry and reads nothing; the next bucket is read, and cleared as one, when its time comes.
 *
 * <ol>
 *   <li>A bucket that is full is closed when an element comes that lies behind all its elements: the next bucket begins
 *       there. So timers that come about in the order of their times are never moved.
 *   <li>One that is filled twice, by elements in between, is split in the middle, by moving the upper half. So is the last
 *       one of a key group after a restore, once, as it is not known where its elements end.
 *   <li>The groups that have buckets are a heap by their bounds: its first one is the next to be loaded.
 * </ol>
 *
 * Memory: {@link FarGroup} for each key group with far timers, and 24 bytes per bucket. One thread.
 */
final class FarTimers {
    private final TimerStore store;
    private final TimerLimits limits;
    private final int keyGroupFrom;
    private final Element scanned = new Element();
    private final int keyGroups;
    private FarGroup[] groups;
    private FarGroup[] heap = new FarGroup[8];
    private int heapSize;
    private int buckets;
    private long moved;

    FarTimers(TimerStore store, TimerLimits limits, int keyGroupFrom, int keyGroups) {
        this.store = store;
        this.limits = limits;
        this.keyGroupFrom = keyGroupFrom;
        this.keyGroups = keyGroups;
    }

    boolean isEmpty() {
        return heapSize == 0;
    }

    /** Buckets in the directory. */
    int buckets() {
        return buckets;
    }

    /** Elements moved from bucket to bucket so far. */
    long moved() {
        return moved;
    }

    /** Whether an element is near if it is there. */
    boolean isNear(Element element) {
        if (heapSize == 0) {
            return true;
        }
        FarGroup group = groups[element.keyGroup() - keyGroupFrom];
        return group == null || group.isNear(element);
    }

    /** No far element, of which there must be one, has a lower rank. */
    long nextRank() {
        return heap[0].boundRank();
    }

    /** Learns of a bucket that a restored store has. They come in order. */
    void restore(int keyGroup, long low) {
        FarGroup group = group(keyGroup);
        insert(group, group.size(), low, Long.MAX_VALUE);
        group.weight(group.size() - 1, limits.bucketFill());
        if (group.size() == 1) {
            moveBound(group, low, null);
        }
    }

    private FarGroup group(int keyGroup) {
        if (groups == null) {
            groups = new FarGroup[keyGroups];
        }
        FarGroup group = groups[keyGroup - keyGroupFrom];
        if (group == null) {
            group = new FarGroup(keyGroup);
            groups[keyGroup - keyGroupFrom] = group;
        }
        return group;
    }

    private void insert(FarGroup group, int i, long low, long highest) {
        group.insert(i, low, highest, 2 * limits.bucketFill());
        buckets++;
    }

    /** From now on elements of this key group from the bound on are far. */
    void lower(int keyGroup, long rank, byte[] lastNear) {
        FarGroup group = group(keyGroup);
        if (group.bucketOf(rank) < 0) {
            store.addBucket(keyGroup, rank);
            insert(group, 0, rank, Long.MIN_VALUE);
        }
        moveBound(group, rank, lastNear);
    }

    /** Adds a far element, which may be there already. */
    void put(Element element) {
        FarGroup group = groups[element.keyGroup() - keyGroupFrom];
        int i = group.bucketOf(element.rank());
        long low = group.low(i);
        int weight = group.weight(i);
        if (element.rank() > group.highest(i)) {
            if (weight >= limits.bucketFill() && buckets < limits.bucketsMax()) {
                low = group.highest(i) + 1;
                i++;
                weight = 0;
                store.addBucket(group.keyGroup(), low);
                insert(group, i, low, element.rank());
            } else {
                group.highest(i, element.rank());
            }
        }
        store.put(low, element);
        weight += element.weight();
        group.weight(i, weight);
        if (weight >= group.splitWeight(i) && group.highest(i) > low && buckets < limits.bucketsMax()) {
            split(group, i);
        }
    }

    /** Removes a far element, which may not be there. */
    void remove(Element element) {
        FarGroup group = groups[element.keyGroup() - keyGroupFrom];
        int i = group.bucketOf(element.rank());
        store.delete(group.low(i), element);
        group.weight(i, Math.max(0, group.weight(i) - element.weight()));
    }

    /** Splits a bucket in the middle of what is in it, unless all that is of one rank. */
    private void split(FarGroup group, int i) {
        int keyGroup = group.keyGroup();
        long low = group.low(i);
        int count = 0;
        MapScan counted = store.scan(keyGroup, low, null);
        while (counted.next()) {
            count++;
        }
        MapScan scan = store.scan(keyGroup, low, null);
        int stay = 0;
        int stayWeight = 0;
        long highestStaying = low;
        while (scan.next()) {
            read(keyGroup, scan);
            if (stay >= count / 2 && stay > 0 && scanned.rank() > highestStaying) {
                moveUp(group, i, scan, highestStaying);
                group.weight(i, stayWeight);
                group.splitWeight(i, 2 * Math.max(stayWeight, limits.bucketFill()));
                return;
            }
            highestStaying = scanned.rank();
            stay++;
            stayWeight += scanned.weight();
        }
        group.highest(i, highestStaying);
        group.weight(i, stayWeight);
        group.splitWeight(i, 2 * Math.max(stayWeight, limits.bucketFill()));
    }

    /** Moves the element under a scan, and all after it, into a new bucket. */
    private void moveUp(FarGroup group, int i, MapScan scan, long highestStaying) {
        long oldLow = group.low(i);
        long newLow = scanned.rank();
        store.addBucket(group.keyGroup(), newLow);
        group.highest(i, highestStaying);
        int weight = 0;
        do {
            read(group.keyGroup(), scan);
            store.put(newLow, scanned);
            store.delete(oldLow, scanned);
            weight += scanned.weight();
            moved++;
        } while (scan.next());
        insert(group, i + 1, newLow, scanned.rank());
        group.weight(i + 1, weight);
        group.splitWeight(i + 1, 2 * Math.max(weight, limits.bucketFill()));
    }

    private Element read(int keyGroup, MapScan scan) {
        return scanned.at(keyGroup, scan.bytes(), scan.keyOffset(), scan.keyLength());
    }

    /**
     * Moves the next bucket, or its next elements up to a weight, into the near ones. What is near is no longer in the
     * store.
     */
    void load(NearTimers near, int weightMax) {
        FarGroup group = heap[0];
        int keyGroup = group.keyGroup();
        long low = group.low(0);
        MapScan scan = store.scan(keyGroup, low, group.boundBytes());
        int weight = 0;
        byte[] last = null;
        while (last == null && scan.next()) {
            near.add(read(keyGroup, scan));
            weight += scanned.weight();
            if (weight >= weightMax) {
                last = scanned.toArray();
            }
        }
        if (last == null || !scan.next()) {
            store.clearBucket(keyGroup, low);
            removeFirst(group);
        } else {
            deleteUpTo(last, group);
            group.weight(0, Math.max(0, group.weight(0) - weight));
            moveBound(group, Element.rank(last, 0, last.length), last);
        }
    }

    private void deleteUpTo(byte[] last, FarGroup group) {
        long low = group.low(0);
        MapScan scan = store.scan(group.keyGroup(), low, group.boundBytes());
        int order = -1;
        while (order < 0 && scan.next()) {
            store.delete(low, read(group.keyGroup(), scan));
            order = Arrays.compareUnsigned(
                    scan.bytes(), scan.keyOffset(), scan.keyOffset() + scan.keyLength(), last, 0, last.length);
        }
    }

    /** Counts all elements, by reading them. */
    int count() {
        int count = 0;
        for (int g = 0; g < heapSize; g++) {
            FarGroup group = heap[g];
            for (int i = 0; i < group.size(); i++) {
                MapScan scan = store.scan(group.keyGroup(), group.low(i), null);
                while (scan.next()) {
                    count++;
                }
            }
        }
        return count;
    }

    /** Walks a bucket of a key group after an element; null if there are no buckets after those already walked. */
    MapScan scan(int keyGroup, byte[] after, int skip) {
        FarGroup group = groups == null ? null : groups[keyGroup - keyGroupFrom];
        if (group == null) {
            return null;
        }
        int first = after == null ? 0 : Math.max(0, group.bucketOf(Element.rank(after, 0, after.length)));
        return first + skip < group.size() ? store.scan(keyGroup, group.low(first + skip), after) : null;
    }

    private void moveBound(FarGroup group, long rank, byte[] lastNear) {
        group.bound(rank, lastNear);
        if (group.place < 0) {
            if (heapSize == heap.length) {
                heap = Arrays.copyOf(heap, heapSize * 2);
            }
            group.place = heapSize;
            heap[heapSize++] = group;
        }
        siftUp(group);
        siftDown(group);
    }

    private void removeFirst(FarGroup group) {
        group.removeFirst();
        buckets--;
        if (group.size() > 0) {
            siftDown(group);
            return;
        }
        FarGroup last = heap[--heapSize];
        heap[heapSize] = null;
        group.place = -1;
        if (heapSize > 0) {
            last.place = 0;
            heap[0] = last;
            siftDown(last);
        }
    }

    private void siftUp(FarGroup group) {
        int child = group.place;
        while (child > 0) {
            FarGroup parent = heap[(child - 1) >>> 1];
            if (!group.isBefore(parent)) {
                break;
            }
            heap[child] = parent;
            int up = parent.place;
            parent.place = child;
            child = up;
        }
        heap[child] = group;
        group.place = child;
    }

    private void siftDown(FarGroup group) {
        int parent = group.place;
        int child = 2 * parent + 1;
        while (child < heapSize) {
            if (child + 1 < heapSize && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(group)) {
                break;
            }
            heap[parent] = heap[child];
            heap[parent].place = parent;
            parent = child;
            child = 2 * parent + 1;
        }
        heap[parent] = group;
        group.place = parent;
    }
}
