package io.drey.flink.state.snapshot;

/** How long uploads of checkpoints take, beside how often there is one. Any thread. */
public final class UploadTimes {
    private volatile Upload last = new Upload(0, 0, 0, 0);
    private long barrierNanos;
    private long intervalNanos;
    private boolean begun;

    /**
     * The upload that ended last.
     *
     * @param number how many have ended, 0 if none has
     * @param bytes of its files
     * @param nanos from its first byte to its last
     * @param intervalNanos between the last two barriers, 0 if there was one
     */
    public record Upload(long number, long bytes, long nanos, long intervalNanos) {}

    synchronized void barrier(long nowNanos) {
        intervalNanos = begun ? nowNanos - barrierNanos : 0;
        barrierNanos = nowNanos;
        begun = true;
    }

    synchronized void uploaded(long bytes, long nanos) {
        last = new Upload(last.number + 1, bytes, nanos, intervalNanos);
    }

    /** The upload that ended last. */
    public Upload last() {
        return last;
    }
}
