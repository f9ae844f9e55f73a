package io.drey.store.tuning;

/**
 * The bytes of separated values that a major compaction frees for each byte of young runs that it takes, as the last
 * whole one did. Tombstones and overwriting entries are small beside the values that they free, so the sizes of runs
 * alone do not say when a major compaction is worth it. The owner's.
 */
public final class CompactionYield {
    private double perYoungByte;
    private long youngBytes;
    private long freedBytes;

    /** A part of a major compaction took so many bytes of young runs and freed so many of values. */
    public void compacted(long newYoungBytes, long newFreedBytes) {
        youngBytes += newYoungBytes;
        freedBytes += Math.max(0, newFreedBytes);
    }

    /** The major compaction has ended. */
    public void ended() {
        if (youngBytes > 0) {
            perYoungByte = (double) freedBytes / youngBytes;
        }
        youngBytes = 0;
        freedBytes = 0;
    }

    /**
     * What a major compaction of young runs of so many bytes is expected to free of values of which so many are in use.
     */
    public long expected(long bytesOfYoung, long valueBytes) {
        return Math.min((long) (bytesOfYoung * perYoungByte), valueBytes);
    }
}
