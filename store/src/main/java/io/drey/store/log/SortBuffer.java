package io.drey.store.log;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records to sort: 64 bits of order and a record number each, in single pages, so that no neighbouring pages are
 * needed.
 *
 * <ol>
 *   <li>By radix, in place: the byte at hand says in which of 256 parts an entry belongs; entries are carried from part
 *       to part until each is in its own, and each part is sorted by its next byte. Bytes that all entries share, as
 *       those of table and key group often are, cost one look at each entry.
 *   <li>Small parts, and those whose 64 bits are equal, by quicksort, which asks a comparison of whole keys for equal
 *       ones only.
 * </ol>
 */
final class SortBuffer implements AutoCloseable {
    static final int ENTRY_BYTES = 16;
    private static final int INSERTION_MAX = 16;

    /** Below this 256 counters cost more than they save. */
    private static final int QUICK_MAX = 192;

    private static final int RADIX = 256;

    /** Orders records whose 64 bits are equal. */
    interface Ties {
        int compare(int a, int b);
    }

    private final Arena arena;
    private final Overdraft overdraft;
    private final Ties ties;
    private final List<Scratch> pages = new ArrayList<>();
    private final int shift;
    private final int mask;
    private final int[][] nexts = new int[Long.BYTES][];
    private final int[][] ends = new int[Long.BYTES][];
    private long[] addresses = new long[16];
    private int size;

    SortBuffer(Arena arena, Overdraft overdraft, Ties ties) {
        this.arena = arena;
        this.overdraft = overdraft;
        this.ties = ties;
        int perPage = arena.pageBytes() / ENTRY_BYTES;
        this.shift = Integer.numberOfTrailingZeros(perPage);
        this.mask = perPage - 1;
    }

    int size() {
        return size;
    }

    int record(int i) {
        return Memory.getInt(address(i) + 8);
    }

    void add(long order, int record) {
        if ((size & mask) == 0) {
            Scratch page = new Scratch(arena, overdraft);
            pages.add(page);
            if (pages.size() > addresses.length) {
                addresses = Arrays.copyOf(addresses, addresses.length * 2);
            }
            addresses[pages.size() - 1] = page.reserve(arena.pageBytes());
        }
        long address = address(size);
        Memory.putLong(address, order);
        Memory.putInt(address + 8, record);
        size++;
    }

    void sort() {
        sortByByte(0, size, 0);
    }

    /** Sorts entries that have the first so many bytes in common. */
    private void sortByByte(int from, int to, int common) {
        int at = common;
        while (to - from > QUICK_MAX && at < Long.BYTES && !divide(from, to, at)) {
            at++;
        }
        if (to - from <= QUICK_MAX || at == Long.BYTES) {
            int count = to - from;
            sort(from, to - 1, 2 * (Integer.SIZE - Integer.numberOfLeadingZeros(count)));
            return;
        }
        int start = from;
        for (int part = 0; part < RADIX; part++) {
            int end = ends[at][part];
            if (end - start > 1) {
                sortByByte(start, end, at + 1);
            }
            start = end;
        }
    }

    /**
     * Puts the entries into the order of one byte, and where each part ends into {@link #ends}; false if there is one
     * part.
     */
    private boolean divide(int from, int to, int at) {
        if (nexts[at] == null) {
            nexts[at] = new int[RADIX];
            ends[at] = new int[RADIX];
        }
        int[] next = nexts[at];
        int[] end = ends[at];
        int right = Long.SIZE - Byte.SIZE * (at + 1);
        Arrays.fill(end, 0);
        for (int i = from; i < to; i++) {
            end[(int) (Memory.getLong(address(i)) >>> right) & 0xff]++;
        }
        int sum = from;
        for (int part = 0; part < RADIX; part++) {
            if (end[part] == to - from) {
                return false;
            }
            next[part] = sum;
            sum += end[part];
            end[part] = sum;
        }
        for (int part = 0; part < RADIX; part++) {
            while (next[part] < end[part]) {
                carry(part, right, next);
            }
        }
        return true;
    }

    /** Carries the first entry of a part that is not in place to its own, the one found there on, and so round. */
    private void carry(int part, int right, int[] next) {
        long hole = address(next[part]);
        long order = Memory.getLong(hole);
        long record = Memory.getLong(hole + 8);
        int own = (int) (order >>> right) & 0xff;
        while (own != part) {
            long there = address(next[own]++);
            long orderThere = Memory.getLong(there);
            long recordThere = Memory.getLong(there + 8);
            Memory.putLong(there, order);
            Memory.putLong(there + 8, record);
            order = orderThere;
            record = recordThere;
            own = (int) (order >>> right) & 0xff;
        }
        Memory.putLong(hole, order);
        Memory.putLong(hole + 8, record);
        next[part]++;
    }

    private void sort(int from, int to, int depthLeft) {
        int low = from;
        int high = to;
        int depth = depthLeft;
        while (high - low > INSERTION_MAX) {
            if (depth-- == 0) {
                heapSort(low, high);
                return;
            }
            int split = partition(low, high);
            if (split - low < high - split) {
                sort(low, split, depth);
                low = split + 1;
            } else {
                sort(split + 1, high, depth);
                high = split;
            }
        }
        for (int i = low + 1; i <= high; i++) {
            for (int j = i; j > low && compare(j - 1, j) > 0; j--) {
                swap(j - 1, j);
            }
        }
    }

    /** Hoare's partition around the median of three; returns the last index of the lower part. */
    private int partition(int low, int high) {
        int middle = (low + high) >>> 1;
        if (compare(middle, low) < 0) {
            swap(middle, low);
        }
        if (compare(high, low) < 0) {
            swap(high, low);
        }
        if (compare(high, middle) < 0) {
            swap(high, middle);
        }
        long pivot = Memory.getLong(address(middle));
        int pivotRecord = record(middle);
        int i = low - 1;
        int j = high + 1;
        while (true) {
            do {
                i++;
            } while (compare(i, pivot, pivotRecord) < 0);
            do {
                j--;
            } while (compare(j, pivot, pivotRecord) > 0);
            if (i >= j) {
                return j;
            }
            swap(i, j);
        }
    }

    private void heapSort(int low, int high) {
        int count = high - low + 1;
        for (int i = count / 2 - 1; i >= 0; i--) {
            siftDown(low, i, count);
        }
        for (int end = count - 1; end > 0; end--) {
            swap(low, low + end);
            siftDown(low, 0, end);
        }
    }

    private void siftDown(int low, int from, int count) {
        int parent = from;
        while (true) {
            int child = 2 * parent + 1;
            if (child >= count) {
                return;
            }
            if (child + 1 < count && compare(low + child + 1, low + child) > 0) {
                child++;
            }
            if (compare(low + child, low + parent) <= 0) {
                return;
            }
            swap(low + child, low + parent);
            parent = child;
        }
    }

    private int compare(int i, int j) {
        return compare(i, Memory.getLong(address(j)), record(j));
    }

    private int compare(int i, long order, int record) {
        long mine = Memory.getLong(address(i));
        if (mine != order) {
            return Long.compareUnsigned(mine, order);
        }
        int myRecord = record(i);
        return myRecord == record ? 0 : ties.compare(myRecord, record);
    }

    private void swap(int i, int j) {
        long a = address(i);
        long b = address(j);
        long order = Memory.getLong(a);
        long record = Memory.getLong(a + 8);
        Memory.putLong(a, Memory.getLong(b));
        Memory.putLong(a + 8, Memory.getLong(b + 8));
        Memory.putLong(b, order);
        Memory.putLong(b + 8, record);
    }

    private long address(int i) {
        return addresses[i >>> shift] + (long) (i & mask) * ENTRY_BYTES;
    }

    @Override
    public void close() {
        pages.forEach(Scratch::close);
        pages.clear();
        size = 0;
    }
}
