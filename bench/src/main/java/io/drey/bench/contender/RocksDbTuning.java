package io.drey.bench.contender;

/**
 * The sizes with which the sample join for online learning ran its tuned RocksDB, at any other size of memory. There,
 * 14 GB were 4 write buffers of 1 GB and a block cache of 10 GB, and files had 128 MB.
 *
 * @param writeBufferRatio for Flink, which lets write buffers take two thirds of this ratio of the memory: 4 of 14
 * @param writeBufferBytes of one write buffer
 * @param targetFileBytes of a file of the first level
 */
record RocksDbTuning(String writeBufferRatio, long writeBufferBytes, long targetFileBytes) {
    /** 4/14 · 3/2. */
    private static final String RATIO = "0.43";

    private static final int MEMORY_PER_WRITE_BUFFER = 14;
    private static final int MEMORY_PER_FILE = 112;

    /** Below, RocksDB's arenas do not fit its own limits any more. */
    private static final long WRITE_BUFFER_BYTES_MIN = 1L << 20;

    private static final long WRITE_BUFFER_BYTES_MAX = 1L << 30;

    /** Smaller files would cost more for being opened than they save. */
    private static final long FILE_BYTES_MIN = 8L << 20;

    private static final long FILE_BYTES_MAX = 128L << 20;

    static RocksDbTuning of(long managedBytes) {
        return new RocksDbTuning(
                RATIO,
                within(WRITE_BUFFER_BYTES_MIN, managedBytes / MEMORY_PER_WRITE_BUFFER, WRITE_BUFFER_BYTES_MAX),
                within(FILE_BYTES_MIN, managedBytes / MEMORY_PER_FILE, FILE_BYTES_MAX));
    }

    private static long within(long min, long value, long max) {
        return Math.max(min, Math.min(value, max));
    }
}
