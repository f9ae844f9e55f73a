package io.drey.bench.result;

import java.util.Map;

/**
 * About one second of a cell. What is counted is counted since the sample before.
 *
 * @param second since the first sample began, at the end of this one
 * @param length in seconds
 * @param measured false while filling and warming up
 * @param events processed by the stateful operator
 * @param cpu seconds of CPU by group of threads: {@code task}, {@code source}, {@code background}, {@code checkpoint},
 *     {@code gc}, {@code jit}, {@code other}
 * @param cpuOfOthers seconds of CPU that all other processes of the machine used, and other machines on the same
 *     hardware; null where the system does not tell, and in older files
 * @param residentBytes of the process, or -1
 * @param heapBytes used
 * @param allocatedBytes by all Java threads that are alive
 * @param localBytes in the state backend's local directory
 * @param io of the process
 * @param device of the block device, or null if it is not ours
 * @param backend what the state backend tells of itself, or null if it tells nothing, and in older files
 */
public record ProcessSample(
        double second,
        double length,
        boolean measured,
        long events,
        Map<String, Double> cpu,
        Double cpuOfOthers,
        long residentBytes,
        long heapBytes,
        long allocatedBytes,
        long localBytes,
        Io io,
        Io device,
        Backend backend) {

    /** The same of a cell that fills, of which only the rate is looked at. */
    public ProcessSample rateOnly() {
        return new ProcessSample(second, length, false, events, Map.of(), null, -1, -1, -1, -1, null, null, null);
    }

    /**
     * Metrics of a state backend.
     *
     * @param indexBytes memory that indexes of its files always take, now
     * @param flushBytes bytes of files written from memory
     * @param youngBytes bytes of files that compactions of these wrote
     * @param levelBytes bytes of files that compactions into the last level wrote
     */
    public record Backend(long indexBytes, long flushBytes, long youngBytes, long levelBytes) {
        /** What was written since an earlier look. */
        public Backend since(Backend before) {
            return new Backend(
                    indexBytes,
                    flushBytes - before.flushBytes,
                    youngBytes - before.youngBytes,
                    levelBytes - before.levelBytes);
        }
    }

    /**
     * Reads and writes. Of the process: system calls and the bytes that went to or came from a device. Of a device:
     * I/Os and bytes that the kernel counted there.
     */
    public record Io(long reads, long readBytes, long writes, long writeBytes) {
        /** What a cloud volume counts as one I/O at most. */
        public static final int BYTES_MAX = 256 << 10;

        /** Where the system does not tell. */
        public static final Io UNKNOWN = new Io(-1, -1, -1, -1);

        /** What was counted since an earlier look; -1 of what one of them does not tell. */
        public Io since(Io before) {
            return new Io(
                    since(before.reads, reads),
                    since(before.readBytes, readBytes),
                    since(before.writes, writes),
                    since(before.writeBytes, writeBytes));
        }

        private static long since(long before, long now) {
            return before < 0 || now < 0 ? -1 : now - before;
        }

        /** Reads as a cloud volume counts them; the second term only matters where the kernel did not split. */
        public long readIos() {
            return Math.max(reads, (readBytes + BYTES_MAX - 1) / BYTES_MAX);
        }

        /** Writes as a cloud volume counts them. */
        public long writeIos() {
            return Math.max(writes, (writeBytes + BYTES_MAX - 1) / BYTES_MAX);
        }
    }
}
