package io.drey.keyed.timer;

import io.drey.store.read.MapScan;

/**
 * The timers of a queue that are not near: in the store, in one {@link TimerJournal} per key group and bucket of time.
 * Adding or removing one appends a note and reads nothing; the next bucket is read, and cleared as one, when its time
 * comes.
 *
 * <ol>
 *   <li>A bucket that is full is closed when an element comes that lies behind all its elements: the next bucket begins
 *       there. So timers that come about in the order of their times are never moved.
 *   <li>One whose notes would fill it twice is rewritten without those that no longer count, and split in the middle if
 *       it is full nevertheless. So is the last one of a key group after a restore, once, as it is not known where its
 *       elements end.
 *   <li>A bucket of one rank cannot be split. One that becomes too large to be read at once becomes a map.
 *   <li>The first of the groups that have buckets, by their bounds, is the next to be loaded.
 * </ol>
 *
 * Memory: {@link KeyGroupBuckets} for each key group with far timers, 24 bytes per bucket, and the elements of the
 * largest journal that was rewritten. One thread.
 */
final class StoredTimers {
    private final TimerStore store;
    private final TimerLimits limits;
    private final int keyGroupFrom;
    private final Element scanned = new Element();
    private final Element bound = new Element();
    private final int keyGroups;
    private final TimerJournal journal = new TimerJournal();

    /** The elements of a journal while it is rewritten; empty otherwise. */
    private final HeapTimers sorted;

    private final KeyGroupHeap heap = new KeyGroupHeap();
    private KeyGroupBuckets[] groups;
    private int buckets;
    private long moved;

    StoredTimers(TimerStore store, TimerLimits limits, int keyGroupFrom, int keyGroups) {
        this.store = store;
        this.limits = limits;
        this.keyGroupFrom = keyGroupFrom;
        this.keyGroups = keyGroups;
        this.sorted = new HeapTimers(keyGroupFrom);
    }

    boolean isEmpty() {
        return heap.size() == 0;
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
        if (heap.size() == 0) {
            return true;
        }
        KeyGroupBuckets group = groups[element.keyGroup() - keyGroupFrom];
        return group == null || group.isNear(element);
    }

    /** No far element, of which there must be one, has a lower rank. */
    long nextRank() {
        return heap.get(0).boundRank();
    }

    /** Learns of the buckets of a key group that a restored store has, as they are handed to it. */
    TimerStore.BucketTaker restorer(int keyGroup) {
        return new TimerStore.BucketTaker() {
            @Override
            public void takeJournal(long low) {
                restore(keyGroup, low, Long.MAX_VALUE);
            }

            @Override
            public void takeMap(long low, long highest) {
                KeyGroupBuckets group = restore(keyGroup, low, highest);
                group.becomeMap(group.size() - 1);
            }
        };
    }

    private KeyGroupBuckets restore(int keyGroup, long low, long highest) {
        KeyGroupBuckets group = group(keyGroup);
        insert(group, group.size(), low, highest);
        group.weight(group.size() - 1, limits.bucketFill());
        if (group.size() == 1) {
            moveBound(group, low, null);
        }
        return group;
    }

    private KeyGroupBuckets group(int keyGroup) {
        if (groups == null) {
            groups = new KeyGroupBuckets[keyGroups];
        }
        KeyGroupBuckets group = groups[keyGroup - keyGroupFrom];
        if (group == null) {
            group = new KeyGroupBuckets(keyGroup);
            groups[keyGroup - keyGroupFrom] = group;
        }
        return group;
    }

    /** Makes room for a bucket i, with a journal, in the directory. */
    private void insert(KeyGroupBuckets group, int i, long low, long highest) {
        group.insert(i, low, highest, 2 * limits.bucketFill());
        buckets++;
    }

    private void addBucket(KeyGroupBuckets group, int i, long low, long highest) {
        store.addBucket(group.keyGroup(), low);
        insert(group, i, low, highest);
    }

    /** From now on elements of this key group from the bound on are far. */
    void lower(int keyGroup, long rank, byte[] lastNear) {
        KeyGroupBuckets group = group(keyGroup);
        if (group.bucketOf(rank) < 0) {
            addBucket(group, 0, rank, Long.MIN_VALUE);
        }
        moveBound(group, rank, lastNear);
    }

    /** Adds a far element, which may be there already. */
    void put(Element element) {
        KeyGroupBuckets group = groups[element.keyGroup() - keyGroupFrom];
        int i = group.bucketOf(element.rank());
        if (element.rank() > group.highest(i)) {
            if (isClosed(group, i) && buckets < limits.bucketsMax()) {
                i++;
                addBucket(group, i, group.highest(i - 1) + 1, element.rank());
            } else {
                raiseHighest(group, i, element.rank());
            }
        }
        if (group.isMap(i)) {
            store.put(group.low(i), element);
        } else {
            note(group, i, element, false);
        }
    }

    private void raiseHighest(KeyGroupBuckets group, int i, long rank) {
        group.highest(i, rank);
        if (group.isMap(i)) {
            store.makeMap(group.keyGroup(), group.low(i), rank);
        }
    }

    private boolean isClosed(KeyGroupBuckets group, int i) {
        return group.isMap(i) || group.weight(i) >= limits.bucketFill();
    }

    /** Removes a far element, which may not be there. */
    void remove(Element element) {
        KeyGroupBuckets group = groups[element.keyGroup() - keyGroupFrom];
        int i = group.bucketOf(element.rank());
        if (group.isMap(i)) {
            store.delete(group.low(i), element);
        } else {
            note(group, i, element, true);
        }
    }

    private void note(KeyGroupBuckets group, int i, Element element, boolean removed) {
        store.note(group.low(i), element, removed);
        int weight = group.weight(i) + element.weight();
        group.weight(i, weight);
        if (weight >= group.rewriteWeight(i)) {
            rewrite(group, i);
        }
    }

    private void rewrite(KeyGroupBuckets group, int i) {
        sort(group, i);
        if (sorted.weight() >= limits.bucketFill() && buckets < limits.bucketsMax()) {
            split(group, i);
        }
        if (sorted.weight() >= limits.journalMax()) {
            becomeMap(group, i);
        } else {
            writeSorted(group, i);
        }
    }

    /** Reads a bucket's journal into the sorted elements. */
    private void sort(KeyGroupBuckets group, int i) {
        sorted.clear();
        store.read(group.keyGroup(), group.low(i), journal);
        journal.replay(group.keyGroup(), sorted);
    }

    /** Moves the upper half of a bucket's sorted elements into a new bucket, unless they are all of one rank. */
    private void split(KeyGroupBuckets group, int i) {
        long rank = sorted.middle(bound).rank();
        if (rank == sorted.firstRank()) {
            if (rank == sorted.lastRank()) {
                return;
            }
            rank = sorted.rankAbove(rank);
        }
        addBucket(group, i + 1, rank, sorted.lastRank());
        int before = sorted.size();
        int weightBefore = sorted.weight();
        journal.clear();
        sorted.takeFrom(bound.before(rank), scanned, element -> journal.note(element, false));
        store.write(group.keyGroup(), rank, journal);
        weigh(group, i + 1, weightBefore - sorted.weight());
        moved += before - sorted.size();
    }

    private void weigh(KeyGroupBuckets group, int i, int weight) {
        group.weight(i, weight);
        group.rewriteWeight(i, 2 * Math.max(weight, limits.bucketFill()));
    }

    /** Replaces the journal of a bucket by one of the sorted elements. */
    private void writeSorted(KeyGroupBuckets group, int i) {
        weigh(group, i, sorted.weight());
        group.highest(i, sorted.isEmpty() ? group.low(i) : sorted.lastRank());
        journal.clear();
        while (!sorted.isEmpty()) {
            journal.note(sorted.first(scanned), false);
            sorted.removeFirst();
        }
        store.write(group.keyGroup(), group.low(i), journal);
    }

    /** Puts a bucket's sorted elements into a map; what comes of ranks below theirs still has a journal. */
    private void becomeMap(KeyGroupBuckets group, int i) {
        long low = group.low(i);
        journal.clear();
        store.write(group.keyGroup(), low, journal);
        int map = i;
        long highest = sorted.lastRank();
        if (highest > low && highest == sorted.firstRank() && buckets < limits.bucketsMax()) {
            weigh(group, i, 0);
            group.highest(i, low);
            low = highest;
            map = i + 1;
            insert(group, map, low, highest);
        }
        store.makeMap(group.keyGroup(), low, highest);
        group.becomeMap(map);
        group.highest(map, highest);
        while (!sorted.isEmpty()) {
            store.put(low, sorted.first(scanned));
            sorted.removeFirst();
        }
    }

    /**
     * Moves the next bucket, or its next elements up to a weight, into the near ones. What is near is no longer in the
     * store.
     */
    void load(HeapTimers near, int weightMax) {
        KeyGroupBuckets group = heap.get(0);
        boolean isMap = group.isMap(0);
        byte[] last = isMap ? loadMap(group, near, weightMax) : loadJournal(group, near, weightMax);
        if (last == null) {
            store.clearBucket(group.keyGroup(), group.low(0), isMap);
            removeFirst(group);
        } else {
            moveBound(group, Element.rank(last, 0, last.length), last);
        }
    }

    /** Returns the last element of the portion, or null if it is all. */
    private byte[] loadJournal(KeyGroupBuckets group, HeapTimers near, int weightMax) {
        store.read(group.keyGroup(), group.low(0), journal);
        if (journal.weight(group.keyGroup()) <= weightMax) {
            journal.replay(group.keyGroup(), near);
            return null;
        }
        sorted.clear();
        journal.replay(group.keyGroup(), sorted);
        byte[] last = null;
        int weight = 0;
        while (last == null && !sorted.isEmpty()) {
            near.add(sorted.first(scanned));
            weight += scanned.weight();
            last = weight >= weightMax ? scanned.toArray() : null;
            sorted.removeFirst();
        }
        if (sorted.isEmpty()) {
            return null;
        }
        writeSorted(group, 0);
        return last;
    }

    private byte[] loadMap(KeyGroupBuckets group, HeapTimers near, int weightMax) {
        long low = group.low(0);
        MapScan scan = store.scan(group.keyGroup(), low, group.boundBytes());
        scan.expect(weightMax + 1);
        sorted.clear();
        byte[] last = null;
        int weight = 0;
        while (last == null && scan.next()) {
            near.add(read(group.keyGroup(), scan));
            sorted.add(scanned);
            weight += scanned.weight();
            last = weight >= weightMax ? scanned.toArray() : null;
        }
        if (last == null || !scan.next()) {
            sorted.clear();
            return null;
        }
        while (!sorted.isEmpty()) {
            store.delete(low, sorted.first(scanned));
            sorted.removeFirst();
        }
        return last;
    }

    private Element read(int keyGroup, MapScan scan) {
        return scanned.at(keyGroup, scan.bytes(), scan.keyOffset(), scan.keyLength());
    }

    /** Counts all elements, by reading them. */
    int count() {
        int count = 0;
        for (int g = 0; g < heap.size(); g++) {
            KeyGroupBuckets group = heap.get(g);
            for (int i = 0; i < group.size(); i++) {
                count += group.isMap(i) ? countMap(group, i) : countJournal(group, i);
            }
        }
        return count;
    }

    private int countMap(KeyGroupBuckets group, int i) {
        int count = 0;
        MapScan scan = store.scan(group.keyGroup(), group.low(i), null);
        while (scan.next()) {
            count++;
        }
        return count;
    }

    private int countJournal(KeyGroupBuckets group, int i) {
        sort(group, i);
        int count = sorted.size();
        sorted.clear();
        return count;
    }

    /**
     * Hands out some elements of a key group after one of them, or from the first on if that is null, in order: of the
     * bucket that this one belongs to, or of a later one if some are skipped. False if there is no such bucket.
     */
    boolean collect(int keyGroup, byte[] after, int skip, TimerBatch batch) {
        KeyGroupBuckets group = groups == null ? null : groups[keyGroup - keyGroupFrom];
        if (group == null) {
            return false;
        }
        int first = after == null ? 0 : Math.max(0, group.bucketOf(Element.rank(after, 0, after.length)));
        int i = first + skip;
        if (i >= group.size()) {
            return false;
        }
        if (group.isMap(i)) {
            MapScan scan = store.scan(keyGroup, group.low(i), after);
            while (!batch.isFull() && scan.next()) {
                batch.take(read(keyGroup, scan));
            }
        } else {
            sort(group, i);
            sorted.walk(keyGroup, after, scanned, batch);
            sorted.clear();
        }
        return true;
    }

    private void moveBound(KeyGroupBuckets group, long rank, byte[] lastNear) {
        group.bound(rank, lastNear);
        heap.moved(group);
    }

    private void removeFirst(KeyGroupBuckets group) {
        group.removeFirst();
        buckets--;
        if (group.size() > 0) {
            heap.moved(group);
        } else {
            heap.removeFirst();
        }
    }
}
