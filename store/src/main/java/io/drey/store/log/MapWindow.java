package io.drey.store.log;

import static io.drey.store.log.RecordLayout.ENTRY_KEY;
import static io.drey.store.log.RecordLayout.ENTRY_NEXT;
import static io.drey.store.log.RecordLayout.GROUP_FIRST;

import io.drey.foundation.Memory;
import java.util.Arrays;

/**
 * The entries of a group in memory, tombstones among them, that come first after a map key: the smallest {@code limit}
 * of them in byte order, chosen with a heap of that size from the unordered list of the group. One thread; reused.
 */
final class MapWindow {
    private final Records records;
    private int[] chosen = new int[128];
    private int size;
    private boolean more;

    MapWindow(Records records) {
        this.records = records;
    }

    /** Chooses from a group; {@code after} is null to start with the first, or the exclusive bound. */
    void choose(long group, byte[] after, int afterLength, int limit) {
        size = 0;
        more = false;
        for (int record = Memory.getInt(group + GROUP_FIRST); record != 0; ) {
            long address = records.address(record);
            if (after == null || compare(address, after, afterLength) > 0) {
                offer(record, limit);
            }
            record = Memory.getInt(address + ENTRY_NEXT);
        }
        for (int end = size - 1; end > 0; end--) {
            int largest = chosen[0];
            chosen[0] = chosen[end];
            chosen[end] = largest;
            siftDown(0, end);
        }
    }

    void clear() {
        size = 0;
        more = false;
    }

    int size() {
        return size;
    }

    /** Whether the group has larger entries than those chosen. */
    boolean more() {
        return more;
    }

    /** The address of the i-th record in byte order of the map key. */
    long record(int i) {
        return records.address(chosen[i]);
    }

    private void offer(int record, int limit) {
        if (size < limit) {
            if (size == chosen.length) {
                chosen = Arrays.copyOf(chosen, size * 2);
            }
            chosen[size++] = record;
            siftUp(size - 1);
            return;
        }
        more = true;
        if (compare(record, chosen[0]) < 0) {
            chosen[0] = record;
            siftDown(0, size);
        }
    }

    private void siftUp(int from) {
        int child = from;
        while (child > 0) {
            int parent = (child - 1) >>> 1;
            if (compare(chosen[child], chosen[parent]) <= 0) {
                return;
            }
            swap(child, parent);
            child = parent;
        }
    }

    private void siftDown(int from, int end) {
        int parent = from;
        while (true) {
            int child = 2 * parent + 1;
            if (child >= end) {
                return;
            }
            if (child + 1 < end && compare(chosen[child + 1], chosen[child]) > 0) {
                child++;
            }
            if (compare(chosen[child], chosen[parent]) <= 0) {
                return;
            }
            swap(child, parent);
            parent = child;
        }
    }

    private void swap(int a, int b) {
        int record = chosen[a];
        chosen[a] = chosen[b];
        chosen[b] = record;
    }

    private int compare(int a, int b) {
        long x = records.address(a);
        long y = records.address(b);
        return Memory.compare(x + ENTRY_KEY, RecordLayout.keyLength(x), y + ENTRY_KEY, RecordLayout.keyLength(y));
    }

    private static int compare(long record, byte[] bytes, int length) {
        return Memory.compare(record + ENTRY_KEY, RecordLayout.keyLength(record), bytes, 0, length);
    }
}
