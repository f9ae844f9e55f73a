package io.drey.store;

import io.drey.store.entry.LargeLists;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;

/**
 * Settings that a store is opened with.
 *
 * @param keyGroupFrom first key group of the store
 * @param keyGroupTo last key group of the store, inclusive
 * @param blockBytes target size of a block before compression
 * @param pageBytes size of a page of a filter
 * @param runBytesMax size at which a run of the last level is finished and another one begun
 * @param ioBytes size of a sequential background read or write
 * @param youngRunsMax young runs at which reads become too expensive and a compaction is due
 * @param thresholds what a read has to take for more to be done to save the next one
 * @param placement between which sizes of values the thresholds move at which they go into value logs
 * @param listBytesMax most bytes of a list
 */
public record StoreSettings(
        int keyGroupFrom,
        int keyGroupTo,
        int blockBytes,
        int pageBytes,
        long runBytesMax,
        int ioBytes,
        int youngRunsMax,
        ReadThresholds thresholds,
        PlacementLimits placement,
        long listBytesMax) {
    /** The block size that ships. */
    public static final int BLOCK_BYTES = 2 << 10;

    /** The size of filter pages that ships. */
    public static final int PAGE_BYTES = 4 << 10;

    /** The largest run of the last level that ships. */
    public static final long RUN_BYTES_MAX = 64 << 20;

    /** The size of sequential I/Os that ships. */
    public static final int IO_BYTES = 256 << 10;

    /** The number of young runs at which a compaction is due that ships. */
    public static final int YOUNG_RUNS_MAX = 8;

    public StoreSettings {
        if (keyGroupFrom < 0 || keyGroupTo < keyGroupFrom || keyGroupTo > 0xffff) {
            throw new IllegalArgumentException(
                    "expected key groups in 0..65535, found " + keyGroupFrom + ".." + keyGroupTo);
        }
        if (blockBytes < 64 || runBytesMax < blockBytes || ioBytes < blockBytes || youngRunsMax < 2) {
            throw new IllegalArgumentException("expected blockBytes >= 64, runBytesMax and ioBytes >= blockBytes, "
                    + "youngRunsMax >= 2, found " + blockBytes + ", " + runBytesMax + ", " + ioBytes + ", "
                    + youngRunsMax);
        }
    }

    /** The same with lists as large as can be. */
    public StoreSettings(
            int keyGroupFrom,
            int keyGroupTo,
            int blockBytes,
            int pageBytes,
            long runBytesMax,
            int ioBytes,
            int youngRunsMax,
            ReadThresholds thresholds,
            PlacementLimits placement) {
        this(
                keyGroupFrom,
                keyGroupTo,
                blockBytes,
                pageBytes,
                runBytesMax,
                ioBytes,
                youngRunsMax,
                thresholds,
                placement,
                LargeLists.BYTES_MAX);
    }

    /** The same with what ships for the rest. */
    public StoreSettings(
            int keyGroupFrom,
            int keyGroupTo,
            int blockBytes,
            int pageBytes,
            long runBytesMax,
            int ioBytes,
            int youngRunsMax) {
        this(
                keyGroupFrom,
                keyGroupTo,
                blockBytes,
                pageBytes,
                runBytesMax,
                ioBytes,
                youngRunsMax,
                ReadThresholds.SHIPPED,
                PlacementLimits.SHIPPED);
    }

    /** The settings that ship, for a range of key groups. */
    public static StoreSettings of(int keyGroupFrom, int keyGroupTo) {
        return new StoreSettings(
                keyGroupFrom, keyGroupTo, BLOCK_BYTES, PAGE_BYTES, RUN_BYTES_MAX, IO_BYTES, YOUNG_RUNS_MAX);
    }
}
