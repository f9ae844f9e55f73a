package io.drey.bench.probe;

import io.drey.bench.result.ProcessSample;
import java.nio.file.Path;

/** Reads the kernel's counts of reads and writes, of a process and of a block device: totals since each began. */
public final class ReadsAndWrites {
    private static final int SECTOR_BYTES = 512;

    private static final int DEVICE_READS = 0;
    private static final int DEVICE_SECTORS_READ = 2;
    private static final int DEVICE_WRITES = 4;
    private static final int DEVICE_SECTORS_WRITTEN = 6;

    private static final SmallFile OWN = new SmallFile();
    private static final Path OWN_COUNTS = Path.of("/proc/self/io");

    private ReadsAndWrites() {}

    /** Of this process; unknown where the system does not tell. One thread. */
    public static ProcessSample.Io ofThisProcess() {
        String text = OWN.read(OWN_COUNTS);
        return text == null ? ProcessSample.Io.UNKNOWN : ofProcess(text);
    }

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

    /**
     * From the text of a block device's {@code stat} file, which counts after the kernel has merged neighbours and
     * split what is larger than the device's largest I/O; flushes and discards are not in it.
     */
    public static ProcessSample.Io ofDevice(String text) {
        String[] fields = text.strip().split(" +");
        if (fields.length <= DEVICE_SECTORS_WRITTEN) {
            return ProcessSample.Io.UNKNOWN;
        }
        return new ProcessSample.Io(
                Long.parseLong(fields[DEVICE_READS]),
                Long.parseLong(fields[DEVICE_SECTORS_READ]) * SECTOR_BYTES,
                Long.parseLong(fields[DEVICE_WRITES]),
                Long.parseLong(fields[DEVICE_SECTORS_WRITTEN]) * SECTOR_BYTES);
    }
}
