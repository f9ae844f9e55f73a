package io.drey.cli.doctor.host;

import java.util.List;

/**
 * A machine, or the container that this process is in.
 *
 * @param cores that may be used at once, by the container's limit
 * @param memoryBytes of the machine, or the container's limit if that is less
 * @param memoryIsLimited whether it is the container's limit
 * @param container where limits are from: "cgroup v2", "cgroup v1", or "no container limit"
 * @param openFilesMax of a process; -1 if not known
 * @param javaVersion feature number of the Java that runs here
 */
public record HostFacts(
        double cores,
        long memoryBytes,
        boolean memoryIsLimited,
        String container,
        long openFilesMax,
        int javaVersion,
        List<DirectoryFacts> directories) {
    /**
     * A directory for local files, measured with direct I/O where its file system does it.
     *
     * @param problem why it cannot be used: then nothing else is known; null if it can
     * @param direct whether the page cache was left out; if not, reads may be faster than the disk is
     * @param readMicros median time of a random read of 4 KB
     * @param slowestReadMicros 99 of 100 are faster
     * @param readsPerSecond of several threads at once: the ceiling
     */
    public record DirectoryFacts(
            String path,
            String problem,
            String fileSystem,
            long usableBytes,
            long totalBytes,
            boolean direct,
            double readMicros,
            double slowestReadMicros,
            double readsPerSecond,
            double writeBytesPerSecond) {
        public static DirectoryFacts unusable(String path, String problem) {
            return new DirectoryFacts(path, problem, "", 0, 0, false, 0, 0, 0, 0);
        }
    }
}
