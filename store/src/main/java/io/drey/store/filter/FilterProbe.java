package io.drey.store.filter;

import java.util.Arrays;

/**
 * Asks pages of several filters about one hash: where each has its bits is found out first, then all are read together.
 * Each read is likely to miss the processor's caches, and those that wait for nothing else are done at the same time.
 * One thread; reused. Hot path.
 *
 * <p>It has places in the order in which they are added. At each the hash is absent, or may be there, or it is not known
 * because nobody was asked.
 */
public final class FilterProbe {
    private static final byte OUTSIDE = 0;
    private static final byte UNKNOWN = 1;
    private static final byte PASSES = 2;
    private static final byte ABSENT = 3;

    /** By place: where its bits are, or 0 where the answer is known. */
    private long[] buckets = new long[16];

    private byte[] answers = new byte[16];
    private int places;
    private int passes;
    private int unknown;
    private long hash;

    /** Begins without places. */
    public void begin(long newHash) {
        hash = newHash;
        places = 0;
        passes = 0;
        unknown = 0;
    }

    /** A place with a page of a filter, which must stay where it is until {@link #ask()}. */
    public void add(long page, int length) {
        long bucket = FilterLayout.bucket(page, length, hash);
        int sparse = FilterLayout.sparse(length);
        if (sparse == 0) {
            add(bucket, ABSENT);
        } else {
            // Asked at once: there are few, of large runs.
            boolean mayHold = FilterLayout.mayHoldSparse(bucket, sparse, (int) hash);
            passes += mayHold ? 1 : 0;
            add(0, mayHold ? PASSES : ABSENT);
        }
    }

    /** A place that nobody tells of. */
    public void addUnknown() {
        unknown++;
        add(0, UNKNOWN);
    }

    /** A place that the hash is outside of. */
    public void addOutside() {
        add(0, OUTSIDE);
    }

    private void add(long bucket, byte answer) {
        if (places == buckets.length) {
            buckets = Arrays.copyOf(buckets, 2 * places);
            answers = Arrays.copyOf(answers, 2 * places);
        }
        buckets[places] = bucket;
        answers[places++] = answer;
    }

    /** Asks all pages. */
    public void ask() {
        passes += FilterLayout.ask(buckets, places, hash, answers, PASSES);
    }

    /** Whether some page may hold the hash. */
    public boolean passes() {
        return passes > 0;
    }

    /** Whether there are places that nobody tells of. */
    public boolean hasUnknown() {
        return unknown > 0;
    }

    /** Whether the hash may be at a place, as far as was asked. */
    public boolean mayHold(int place) {
        return answers[place] == PASSES || answers[place] == UNKNOWN;
    }

    /** Whether a page says that the hash is not at a place. */
    public boolean isAbsent(int place) {
        return answers[place] == ABSENT;
    }
}
