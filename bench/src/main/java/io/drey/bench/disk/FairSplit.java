package io.drey.bench.disk;

/**
 * Cuts a ration that reads and writes share into two limits, because the kernel limits them separately: each gets half,
 * and what the other one leaves of its half. A side that uses nearly all of its limit may want any amount, so it leaves
 * nothing. Rates are smoothed over about a second. Not thread safe.
 */
final class FairSplit {
    /** The weight of the newest measurement. */
    private static final double SMOOTHING = 0.3;

    /** The part of its limit from which on a side counts as held back. */
    private static final double HELD_BACK = 0.85;

    /** What a side may grow by before its limit follows, as a part of the ration. */
    private static final double HEADROOM = 0.05;

    private double reads;
    private double writes;
    private long readLimit;
    private long writeLimit;

    /** Takes the rates measured since the last step, and cuts the ration {@code allowed}. */
    void step(double readRate, double writeRate, long allowed) {
        reads += SMOOTHING * (readRate - reads);
        writes += SMOOTHING * (writeRate - writes);
        cut(allowed);
    }

    /** Cuts another ration for the same rates; halves before the first step. */
    void cut(long allowed) {
        long forReads = rest(allowed, writes, writeLimit);
        long forWrites = rest(allowed, reads, readLimit);
        readLimit = forReads;
        writeLimit = forWrites;
    }

    private static long rest(long allowed, double otherRate, long otherLimit) {
        long half = Math.max(1, (allowed + 1) / 2);
        if (otherRate >= HELD_BACK * otherLimit) {
            return half;
        }
        return Math.max(half, allowed - Math.round(otherRate + HEADROOM * allowed));
    }

    long readLimit() {
        return readLimit;
    }

    long writeLimit() {
        return writeLimit;
    }
}
