package io.drey.store.filter;

import java.util.Arrays;

/**
 * Asks pages of several filters about one hash: where each has its bits is found out first, then all are read together.
 * Each read is likely to miss the processor's caches, and those that wait for nothing else are done at the same time.
 * One thread; reused. Hot path.
 */
public final class FilterProbe {
    private long[] buckets = new long[16];
    private int count;

    /** Whether a page with few bits for a hash may hold it: these are asked at once, as they are few. */
    private boolean maySparseHold;

    private long hash;

    /** Begins with no page. */
    public void begin(long newHash) {
        hash = newHash;
        count = 0;
        maySparseHold = false;
    }

    /** Adds a page, which must stay where it is until {@link #mayHold()}. */
    public void add(long page, int length) {
        int sparse = FilterLayout.sparse(length);
        if (sparse > 0) {
            maySparseHold |= FilterLayout.mayHoldSparse(FilterLayout.bucket(page, length, hash), sparse, (int) hash);
            return;
        }
        if (count == buckets.length) {
            buckets = Arrays.copyOf(buckets, 2 * count);
        }
        buckets[count++] = FilterLayout.bucket(page, length, hash);
    }

    /** Whether any of the pages may hold the hash; if not, they certainly do not. */
    public boolean mayHold() {
        return maySparseHold || FilterLayout.mayAnyHold(buckets, count, hash);
    }
}
