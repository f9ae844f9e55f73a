package io.drey.files.disks;

/**
 * Counts of the work that one of several local directories has done, and its state now. Counters only grow.
 *
 * @param path what messages call it
 * @param reads reads done
 * @param readBytes bytes they moved
 * @param readNanos time they took
 * @param writes writes done
 * @param writtenBytes bytes they moved
 * @param writeNanos time they took
 * @param failures calls that ended in an error
 * @param latencyNanos recent time of an I/O of at most 256 KB
 * @param queueDepth reads and writes under way now
 * @param usableBytes space left when a file was last placed
 */
public record DirectoryStats(
        String path,
        long reads,
        long readBytes,
        long readNanos,
        long writes,
        long writtenBytes,
        long writeNanos,
        long failures,
        long latencyNanos,
        int queueDepth,
        long usableBytes) {}
