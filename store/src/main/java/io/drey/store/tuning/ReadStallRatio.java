package io.drey.store.tuning;

/** Which part of its time the owner waits for reads, over the time from one question to the next. One thread. */
public final class ReadStallRatio {
    /** A shorter time says too little: it is asked about again, with what follows it. */
    private static final long SPAN_NANOS_MIN = 1_000_000_000;

    private long before;
    private long readNanosBefore;
    private double share;

    public ReadStallRatio(long now) {
        before = now;
    }

    /**
     * The share, 0 to 1.
     *
     * @param now in nanoseconds, by the clock of the reads
     * @param readNanos how long all reads took so far
     */
    public double of(long now, long readNanos) {
        long span = now - before;
        if (span >= SPAN_NANOS_MIN) {
            share = (readNanos - readNanosBefore) / (double) span;
            before = now;
            readNanosBefore = readNanos;
        }
        return share;
    }
}
