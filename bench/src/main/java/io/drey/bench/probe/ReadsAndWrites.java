package io.drey.bench.probe;

import io.drey.bench.result.ProcessSample;

/** What the kernel tells of reads and writes, of a process and of a block device: totals since each began. */
final class ReadsAndWrites {
    /** Where the system does not tell. */
    static final ProcessSample.Io UNKNOWN = new ProcessSample.Io(-1, -1, -1, -1);

    private static final int SECTOR_BYTES = 512;

    private static final int DEVICE_READS = 0;
    private static final int DEVICE_SECTORS_READ = 2;
    private static final int DEVICE_WRITES = 4;
    private static final int DEVICE_SECTORS_WRITTEN = 6;

    private ReadsAndWrites() {}

    /** From the text of a process's {@code io} file. */
    static ProcessSample.Io ofProcess(String text) {
        long reads = -1;
        long readBytes = -1;
        long writes = -1;
        long writeBytes = -1;
        for (String line : text.split("\n")) {
            int colon = line.indexOf(": ");
            if (colon < 0) {
                continue;
            }
            String value = line.substring(colon + 2).strip();
            switch (line.substring(0, colon)) {
                case "syscr" -> reads = Long.parseLong(value);
                case "read_bytes" -> readBytes = Long.parseLong(value);
                case "syscw" -> writes = Long.parseLong(value);
                case "write_bytes" -> writeBytes = Long.parseLong(value);
                default -> {
                    // Also counts what came from the page cache, and what was never written.
                }
            }
        }
        return new ProcessSample.Io(reads, readBytes, writes, writeBytes);
    }

    /** From the text of a block device's {@code stat} file. */
    static ProcessSample.Io ofDevice(String text) {
        String[] fields = text.strip().split(" +");
        if (fields.length <= DEVICE_SECTORS_WRITTEN) {
            return UNKNOWN;
        }
        return new ProcessSample.Io(
                Long.parseLong(fields[DEVICE_READS]),
                Long.parseLong(fields[DEVICE_SECTORS_READ]) * SECTOR_BYTES,
                Long.parseLong(fields[DEVICE_WRITES]),
                Long.parseLong(fields[DEVICE_SECTORS_WRITTEN]) * SECTOR_BYTES);
    }

    /** What was counted between two looks; unknown if one of them is. */
    static ProcessSample.Io between(ProcessSample.Io before, ProcessSample.Io now) {
        return new ProcessSample.Io(
                between(before.reads(), now.reads()),
                between(before.readBytes(), now.readBytes()),
                between(before.writes(), now.writes()),
                between(before.writeBytes(), now.writeBytes()));
    }

    private static long between(long before, long now) {
        return before < 0 || now < 0 ? -1 : now - before;
    }
}
