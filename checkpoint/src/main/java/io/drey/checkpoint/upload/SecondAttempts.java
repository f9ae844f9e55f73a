package io.drey.checkpoint.upload;

import java.util.concurrent.TimeUnit;

/**
 * Decides which writes into a storage get another attempt beside the one that does not get on: those that are slower
 * than others of their size, or stand still for longer. Few, so that a storage that is slow as a whole does not get more
 * to do. One of each backend; thread safe.
 */
public final class SecondAttempts {
    /** Under way, of a backend; each counts until all attempts of its file but one have ended. */
    static final int AT_ONCE_MAX = 2;

    /** Of the bytes written in the last minute, those that were written for nothing. */
    static final double EXTRA_PART_MAX = 0.05;

    /** So many of these a minute are fine although hardly anything else was written. */
    static final long EXTRA_BYTES_MIN = 64L << 20;

    /** Nothing is called slow before. */
    static final long SLOW_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(300);

    /** What takes less did not go to the storage, but into Flink's meta data. */
    static final long STORAGE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

    /** A write that has less than this part of the usual rate is slow. */
    static final double SLOW_PART = 0.5;

    /** Bytes in a nanosecond that are usual as long as nothing is known: 1 MB a second. */
    private static final double UNKNOWN_RATE = (1 << 20) / 1e9;

    private final WriteTimes times = new WriteTimes();
    private final LastMinute written = new LastMinute();
    private final LastMinute extra = new LastMinute();
    private int running;

    /** Bytes that those under way may write for nothing. */
    private long reserved;

    private long begun;
    private long won;

    /**
     * Whether a file gets one more attempt now; if so, {@link #end} has to be called once one of its attempts has ended
     * for nothing.
     *
     * @param bytes of the file
     * @param done bytes that the last attempt has written
     * @param nanos since that began
     * @param pause since anything of it has moved
     */
    synchronized boolean begin(long bytes, long done, long nanos, long pause, long nowNanos) {
        boolean slow = standsStill(bytes, pause) || isSlow(bytes, done, nanos);
        if (!slow || running >= AT_ONCE_MAX || !isAffordable(bytes, nowNanos)) {
            return false;
        }
        running++;
        reserved += bytes;
        begun++;
        return true;
    }

    /** What hardly a file of such a size stands still for; 0 as long as little is known. */
    public synchronized long usualPause(long bytes) {
        long pause = times.usualPauseMax(bytes);
        return pause == Long.MAX_VALUE ? 0 : pause;
    }

    private boolean standsStill(long bytes, long pause) {
        return pause > Math.max(SLOW_NANOS_MIN, times.usualPauseMax(bytes));
    }

    private boolean isSlow(long bytes, long done, long nanos) {
        if (nanos <= Math.max(SLOW_NANOS_MIN, times.usualNanosMax(bytes))) {
            return false;
        }
        double usual = times.usualRate(bytes);
        return done < nanos * SLOW_PART * (usual > 0 ? usual : UNKNOWN_RATE);
    }

    private boolean isAffordable(long bytes, long nowNanos) {
        double max = Math.max(EXTRA_BYTES_MIN, EXTRA_PART_MAX * written.sum(nowNanos));
        return extra.sum(nowNanos) + reserved + bytes <= max;
    }

    /** One that was to begin did not, as there was no thread; it ends as others do. */
    synchronized void notBegun() {
        begun--;
    }

    /** An attempt has ended for nothing, and had written so much. */
    synchronized void end(long bytes, long lost, long nowNanos) {
        running--;
        reserved -= bytes;
        extra.add(lost, nowNanos);
    }

    /**
     * A file is written.
     *
     * @param nanos that this attempt took
     * @param pause the longest in it
     */
    synchronized void wrote(long bytes, long nanos, long pause, boolean second, long nowNanos) {
        if (nanos >= STORAGE_NANOS_MIN) {
            times.add(bytes, nanos, pause);
        }
        written.add(bytes, nowNanos);
        won += second ? 1 : 0;
    }

    /** Under way, as those count. */
    synchronized int running() {
        return running;
    }

    /** Further attempts so far. */
    public synchronized long begun() {
        return begun;
    }

    /** Those of them that ended first. */
    public synchronized long won() {
        return won;
    }
}
