package io.drey.store.tuning;

/** The part of its time that the owner waits for reads, over the last while that it was told about. One thread. */
public final class ReadStallRatio {
    /** A shorter time says too little: it is told again, with what follows it. */
    private static final long SPAN_NANOS_MIN = 1_000_000_000;

    private long before;
    private long readNanosBefore;
    private double share;

    public ReadStallRatio(long now) {
        before = now;
    }

    /**
     * Takes note of the time since the last note, if it is long enough.
     *
     * @param now in nanoseconds, by the clock of the reads
     * @param readNanos how long all reads took so far
     */
    public void note(long now, long readNanos) {
        long span = now - before;
        if (span >= SPAN_NANOS_MIN) {
            share = (readNanos - readNanosBefore) / (double) span;
            before = now;
            readNanosBefore = readNanos;
        }
    }

    /** The share, 0 to 1. */
    public double share() {
        return share;
    }
}
