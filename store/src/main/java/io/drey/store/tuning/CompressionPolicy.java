package io.drey.store.tuning;

/**
 * Decides whether a major compaction compresses blocks with Zstandard in place of LZ4: they take a quarter less, so
 * that more of them fit in memory, and take more of a background thread's time. Pure.
 */
public final class CompressionPolicy {
    /** The decision, with its reason. */
    public enum Decision {
        LZ4_DISK_IS_FAST,
        /** The compaction has to read more bytes per second than it could. */
        LZ4_COMPACTION_IN_HURRY,
        /** The owner waits for reads too little. */
        LZ4_READS_STALL_LITTLE,
        ZSTD_READS_STALL_MUCH;

        public boolean isZstd() {
            return this == ZSTD_READS_STALL_MUCH;
        }
    }

    private CompressionPolicy() {}

    /**
     * Whether the owner waits so much for reads that blocks which save some are worth what compressing them with
     * Zstandard costs. Hot path.
     *
     * @param bytesPerSecond that the compaction has to read
     * @param stallRatio the part of its time that the owner waits for reads
     */
    public static Decision decide(DiskSpeed disk, double bytesPerSecond, double stallRatio, ReadThresholds thresholds) {
        if (!disk.isSlow()) {
            return Decision.LZ4_DISK_IS_FAST;
        }
        if (bytesPerSecond > thresholds.zstdPaceMax()) {
            return Decision.LZ4_COMPACTION_IN_HURRY;
        }
        return stallRatio >= thresholds.zstdShare() ? Decision.ZSTD_READS_STALL_MUCH : Decision.LZ4_READS_STALL_LITTLE;
    }
}
