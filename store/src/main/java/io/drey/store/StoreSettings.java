package io.drey.store;

import io.drey.store.value.SeparationLimits;

/**
 * What a store is opened with.
 *
 * @param keyGroupFrom first key group of the store
 * @param keyGroupTo last key group of the store, inclusive
 * @param blockBytes target size of a block before compression
 * @param filterPageBytes size of a page of a filter
 * @param runBytesMax size at which a run of the last level is finished and another one begun
 * @param ioBytes size of a sequential background read or write
 * @param youngRunsMax young runs at which reads become too dear and a merge is due
 * @param separation between which sizes of values the thresholds move at which they go into value logs
 */
public record StoreSettings(
        int keyGroupFrom,
        int keyGroupTo,
        int blockBytes,
        int filterPageBytes,
        long runBytesMax,
        int ioBytes,
        int youngRunsMax,
        SeparationLimits separation) {

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

    /** The same with the limits of separation that ship. */
    public StoreSettings(
            int keyGroupFrom,
            int keyGroupTo,
            int blockBytes,
            int filterPageBytes,
            long runBytesMax,
            int ioBytes,
            int youngRunsMax) {
        this(
                keyGroupFrom,
                keyGroupTo,
                blockBytes,
                filterPageBytes,
                runBytesMax,
                ioBytes,
                youngRunsMax,
                SeparationLimits.SHIPPED);
    }

    /** The settings that ship, for a range of key groups. */
    public static StoreSettings of(int keyGroupFrom, int keyGroupTo) {
        return new StoreSettings(keyGroupFrom, keyGroupTo, 4 << 10, 4 << 10, 64L << 20, 256 << 10, 8);
    }
}
