package io.drey.store.log;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import java.util.ArrayList;
import java.util.List;

/**
 * Records to sort: 64 bits of order and a record number each, in single pages, so that no neighbouring pages are needed.
 * Sorts by quicksort on the 64 bits, and asks a comparison of whole keys only for equal ones.
 */
final class SortBuffer implements AutoCloseable {
    static final int ENTRY_BYTES = 16;
    private static final int INSERTION_MAX = 16;

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
                addresses = java.util.Arrays.copyOf(addresses, addresses.length * 2);
            }
            addresses[pages.size() - 1] = page.reserve(arena.pageBytes());
        }
        long address = address(size);
        Memory.putLong(address, order);
        Memory.putInt(address + 8, record);
        size++;
    }

    void sort() {
        sort(0, size - 1, 2 * (Integer.SIZE - Integer.numberOfLeadingZeros(size)));
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
