package io.drey.store.tuning;

/**
 * The speed of the disk that runs lie on, by what reads of blocks took lately: the one place that says whether it is
 * slow. A read tells it how long it took; all rules that do something else where the disk is slow ask it. One thread;
 * hot path.
 */
public final class DiskSpeed {
    /** The grade of the disk now. */
    public enum Grade {
        /** Reads come from the page cache, or from a disk that is about as fast. */
        FAST,
        /** Each read should bring as much as it can, and what saves one is worth a lot. */
        SLOW
    }

    /**
     * Reads over which the cost of one is averaged, and the most that one counts for. A pause of the process is not the
     * disk's; but a disk that rations I/Os may answer many at once and let the next wait for a tenth of a second.
     */
    private static final int READS_AVERAGED = 512;

    private static final long READ_NANOS_MAX = 20_000_000;

    private final ReadThresholds thresholds;
    private double readNanos;

    public DiskSpeed(ReadThresholds thresholds) {
        this.thresholds = thresholds;
    }

    /** A block was read, in so much time. */
    public void read(long nanos) {
        readNanos += (Math.min(READ_NANOS_MAX, nanos) - readNanos) / READS_AVERAGED;
    }

    /** What reading a block took lately, on average. */
    public long readNanos() {
        return (long) readNanos;
    }

    public Grade grade() {
        return isSlow() ? Grade.SLOW : Grade.FAST;
    }

    /** Whether reads took so long lately that each should bring as much as it can. */
    public boolean isSlow() {
        return readNanos >= thresholds.aroundNanos();
    }

    /** Whether reads take so long that blocks are kept as they are stored, too. */
    public boolean isKeepingWorth() {
        return readNanos >= thresholds.keptNanos();
    }
}
