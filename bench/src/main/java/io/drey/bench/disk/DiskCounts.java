package io.drey.bench.disk;

/**
 * I/Os and bytes that a block device completed since it was made, as its {@code stat} file counts them: after the kernel
 * has merged neighbours and split what is larger than the device's largest I/O. Flushes and discards are not in it.
 */
record DiskCounts(long reads, long readBytes, long writes, long writeBytes) {
    /** What a cloud volume counts as one I/O at most. */
    static final int IO_BYTES_MAX = 256 << 10;

    private static final int SECTOR_BYTES = 512;
    private static final int FIELDS_MIN = 8;

    /** From the text of a {@code stat} file: reads, merged, sectors, ms, then the same of writes. */
    static DiskCounts parse(String stat) {
        String[] fields = stat.strip().split("\\s+");
        if (fields.length < FIELDS_MIN) {
            throw new IllegalArgumentException(
                    "expected at least " + FIELDS_MIN + " numbers in a block device's stat file, found '" + stat + "'");
        }
        return new DiskCounts(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[2]) * SECTOR_BYTES,
                Long.parseLong(fields[4]),
                Long.parseLong(fields[6]) * SECTOR_BYTES);
    }

    DiskCounts since(DiskCounts before) {
        return new DiskCounts(
                reads - before.reads,
                readBytes - before.readBytes,
                writes - before.writes,
                writeBytes - before.writeBytes);
    }

    /** Reads as a cloud volume counts them; the second term only matters where the kernel did not split. */
    long readIos() {
        return Math.max(reads, (readBytes + IO_BYTES_MAX - 1) / IO_BYTES_MAX);
    }

    /** Writes as a cloud volume counts them. */
    long writeIos() {
        return Math.max(writes, (writeBytes + IO_BYTES_MAX - 1) / IO_BYTES_MAX);
    }
}
