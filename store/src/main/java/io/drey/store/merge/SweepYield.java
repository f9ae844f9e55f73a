package io.drey.store.merge;

/**
 * How many bytes of separated values a sweep frees for each byte of young runs that it takes: what the last whole sweep
 * did. Tombstones and overwriting entries are small beside the values that they free, so the sizes of runs alone do not
 * say when a sweep is worth it. The owner's.
 */
public final class SweepYield {
    private double perYoungByte;
    private long youngBytes;
    private long freedBytes;

    /** A part of a sweep took so many bytes of young runs and freed so many of values. */
    public void swept(long newYoungBytes, long newFreedBytes) {
        youngBytes += newYoungBytes;
        freedBytes += Math.max(0, newFreedBytes);
    }

    /** The sweep has ended. */
    public void ended() {
        if (youngBytes > 0) {
            perYoungByte = (double) freedBytes / youngBytes;
        }
        youngBytes = 0;
        freedBytes = 0;
    }

    /** What a sweep of young runs of so many bytes is expected to free of values of which so many are in use. */
    public long expected(long bytesOfYoung, long valueBytes) {
        return Math.min((long) (bytesOfYoung * perYoungByte), valueBytes);
    }
}
