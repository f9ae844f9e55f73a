package io.drey.checkpoint.prepare;

import java.util.Arrays;

/**
 * Foretells the next barrier from the last ones, and says when to prepare for it: a pure policy, told the time. Flink
 * triggers checkpoints by a clock, so the median of a few intervals is within some milliseconds of the truth, and one
 * that was put off by a savepoint or a failure counts for nothing. One thread.
 */
public final class BarrierForecast {
    /** Intervals that are looked at. */
    private static final int INTERVALS = 5;

    /** Those that must be known before anything is foretold. One is enough: at worst a round is done in vain. */
    private static final int INTERVALS_MIN = 1;

    /** A checkpoint that takes less than so long is worth no rounds: they would write much again, and gain little. */
    public static final long PREPARED_NANOS_MIN = 100_000_000;

    /** Rounds before a barrier. */
    public static final int ROUNDS = 2;

    /** Each begins so long before the next one, or before the barrier, at least. */
    private static final long[] LEAD_NANOS_MIN = {350_000_000, 150_000_000};

    /** Of the time that the last one took: some take longer than the one before. */
    private static final double LEAD_FACTOR = 1.1;

    /** At shorter ones what rounds write changes again before the barrier, and the task changes it in a new place. */
    private static final long INTERVAL_NANOS_MIN = 2_500_000_000L;

    /** The part of an interval that rounds may take: beyond it one barrier's would meet the next's. */
    private static final double ROUNDS_PART_MAX = 0.7;

    private final long preparedNanosMin;
    private final long[] intervals = new long[INTERVALS];
    private int known;
    private boolean begun;
    private long last;
    private final long[] tookNanos = new long[ROUNDS];

    /** @param preparedNanosMin how long a checkpoint takes at least that is prepared */
    public BarrierForecast(long preparedNanosMin) {
        this.preparedNanosMin = preparedNanosMin;
    }

    /** A barrier has come. */
    public void barrier(long nanos) {
        if (begun) {
            intervals[known % INTERVALS] = nanos - last;
            known++;
        }
        begun = true;
        last = nanos;
    }

    /** Whether there is enough to go by. */
    public boolean foretells() {
        return known >= INTERVALS_MIN;
    }

    /** Whether the next barrier is worth preparing for. */
    public boolean prepares() {
        long interval = foretells() ? interval() : 0;
        return interval >= INTERVAL_NANOS_MIN
                && tookNanos[0] >= preparedNanosMin
                && expected() - begin(0) <= ROUNDS_PART_MAX * interval;
    }

    private long interval() {
        long[] sorted = Arrays.copyOf(intervals, Math.min(known, INTERVALS));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** When the next barrier is expected. */
    public long expected() {
        return last + interval();
    }

    /** How long a round took until its files were stored; 0 is the first one. */
    public void took(int round, long nanos) {
        tookNanos[round] = nanos;
    }

    /**
     * How long a checkpoint without rounds took: what its first one would, and later ones at most. Of what rounds took
     * before nothing else would be heard: one that stood still once would be the last.
     */
    public void tookWithout(long nanos) {
        tookNanos[0] = nanos;
        for (int each = 1; each < ROUNDS; each++) {
            tookNanos[each] = Math.min(tookNanos[each], nanos);
        }
    }

    /** When a round for the next barrier should begin; what comes after the last round is the barrier. */
    public long begin(int round) {
        double lead = 0;
        for (int each = round; each < ROUNDS; each++) {
            lead += Math.max(LEAD_NANOS_MIN[each], LEAD_FACTOR * tookNanos[each]);
        }
        return expected() - (long) lead;
    }
}
