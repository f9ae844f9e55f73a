package io.drey.jobs.digest;

import java.util.Arrays;

/** Count and sum of digests by bucket, from bucket 0 without gaps. Not thread-safe. */
final class Buckets {
    private static final int SIZE_FIRST = 64;

    private long[] rows = new long[SIZE_FIRST];
    private long[] sums = new long[SIZE_FIRST];
    private int size;

    int size() {
        return size;
    }

    /** 0 for a bucket that nothing was added to. */
    long rows(int bucket) {
        return bucket < size ? rows[bucket] : 0;
    }

    long sum(int bucket) {
        return bucket < size ? sums[bucket] : 0;
    }

    void add(int bucket, long moreRows, long moreSum) {
        if (bucket >= size) {
            grow(bucket + 1);
        }
        rows[bucket] += moreRows;
        sums[bucket] += moreSum;
    }

    /** Adds some buckets of another, to the same buckets of this. */
    void addAll(Buckets other, int from, int to) {
        for (int i = from; i < to; i++) {
            add(i, other.rows(i), other.sum(i));
        }
    }

    private void grow(int newSize) {
        if (newSize > rows.length) {
            int capacity = Math.max(newSize, 2 * rows.length);
            rows = Arrays.copyOf(rows, capacity);
            sums = Arrays.copyOf(sums, capacity);
        }
        size = newSize;
    }

    /** All of it: the rows of every bucket, then the sums. */
    long[] toArray() {
        long[] all = Arrays.copyOf(rows, 2 * size);
        System.arraycopy(sums, 0, all, size, size);
        return all;
    }

    /** Adds what {@link #toArray} gave. */
    void addArray(long[] all) {
        int count = all.length / 2;
        for (int i = 0; i < count; i++) {
            add(i, all[i], all[count + i]);
        }
    }
}
