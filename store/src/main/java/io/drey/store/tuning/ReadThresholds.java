package io.drey.store.tuning;

import java.util.function.LongSupplier;

/**
 * The mean times of a block's read from which on more is done to save the next one.
 *
 * @param keptNanos from here on blocks are kept as they are stored, too: else decompressing them saves too little
 * @param aroundNanos from here on the disk is slow: it brings its neighbours, while there is memory for them
 * @param zstdShare where the disk is slow and take at least this part of the owner's time, major compactions compress
 *     with Zstandard
 * @param zstdPaceMax unless they have to read more bytes per second than this
 * @param clock what reads are measured with, in nanoseconds
 */
public record ReadThresholds(
        long keptNanos, long aroundNanos, double zstdShare, double zstdPaceMax, LongSupplier clock) {
    /**
     * What ships: more than from the page cache, what only disks with few I/Os take, and a major compaction that takes
     * about half of a thread's time although it compresses with Zstandard.
     */
    public static final ReadThresholds SHIPPED = new ReadThresholds(20_000, 200_000, 0.5, 8 << 20, System::nanoTime);

    /** Every read is worth saving. */
    public static final ReadThresholds ANY = of(0, 0, 0, System::nanoTime);

    /** Thresholds with which a major compaction always has the time to compress with Zstandard. */
    public static ReadThresholds of(long keptNanos, long aroundNanos, double zstdShare, LongSupplier clock) {
        return new ReadThresholds(keptNanos, aroundNanos, zstdShare, Double.POSITIVE_INFINITY, clock);
    }
}
