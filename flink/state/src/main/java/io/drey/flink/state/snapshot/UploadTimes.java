package io.drey.flink.state.snapshot;

/** Times of uploads for checkpoints, beside the intervals of barriers. Any thread. */
public final class UploadTimes {
    private volatile Interval last = new Interval(0, 0, 0, 0);
    private long barrierNanos;
    private long bytes;
    private long nanos;

    /**
     * The uploads between the last two barriers of usual checkpoints.
     *
     * @param number of intervals so far, 0 if there was none
     * @param bytes of files
     * @param nanos in which some were under way
     * @param intervalNanos from barrier to barrier
     */
    public record Interval(long number, long bytes, long nanos, long intervalNanos) {}

    /** @param isUsual whether a checkpoint begins that lists what earlier ones stored; others say nothing of the next */
    synchronized void barrier(long nowNanos, boolean isUsual) {
        if (barrierNanos != 0 && isUsual) {
            last = new Interval(last.number + 1, bytes, nanos, nowNanos - barrierNanos);
        }
        barrierNanos = isUsual ? nowNanos : 0;
        bytes = 0;
        nanos = 0;
    }

    synchronized void uploaded(long moreBytes, long moreNanos) {
        bytes += moreBytes;
        nanos += moreNanos;
    }

    /** The last interval. */
    public Interval last() {
        return last;
    }
}
