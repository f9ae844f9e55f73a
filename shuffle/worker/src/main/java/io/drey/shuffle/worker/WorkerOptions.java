package io.drey.shuffle.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options of a worker.
 *
 * @param directories for its data; its identity is in them
 * @param host to listen at; only the own machine reaches the loopback address
 * @param port to listen at; 0: any
 * @param secret of the cluster; null or empty: none
 * @param memoryBytes the pool of slabs for data under way, at least 16 MB
 * @param threads that serve connections
 * @param connectionsMax connections above which further ones are closed
 * @param splitBytes length of a file at which its writer is asked to go on elsewhere
 * @param freeBytesMin left free in the file system of each directory
 * @param leaseKeep how long a job's data is kept after its last sign of life
 */
public record WorkerOptions(
        List<Path> directories,
        String host,
        int port,
        String secret,
        long memoryBytes,
        int threads,
        int connectionsMax,
        long splitBytes,
        long freeBytesMin,
        Duration leaseKeep) {
    /** Defaults: a worker for its own machine, with data in one directory. */
    public static WorkerOptions of(Path directory) {
        return new WorkerOptions(
                List.of(directory),
                "127.0.0.1",
                DEFAULT_PORT,
                null,
                256L << 20,
                Math.min(4, Runtime.getRuntime().availableProcessors()),
                16 << 10,
                1L << 30,
                1L << 30,
                Duration.ofMinutes(10));
    }

    public static final int DEFAULT_PORT = 9470;

    public WorkerOptions withPort(int newPort) {
        return new WorkerOptions(
                directories,
                host,
                newPort,
                secret,
                memoryBytes,
                threads,
                connectionsMax,
                splitBytes,
                freeBytesMin,
                leaseKeep);
    }

    public WorkerOptions withMemory(long bytes) {
        return new WorkerOptions(
                directories, host, port, secret, bytes, threads, connectionsMax, splitBytes, freeBytesMin, leaseKeep);
    }

    public WorkerOptions withFreeBytesMin(long bytes) {
        return new WorkerOptions(
                directories, host, port, secret, memoryBytes, threads, connectionsMax, splitBytes, bytes, leaseKeep);
    }

    public WorkerOptions withLeaseKeep(Duration keep) {
        return new WorkerOptions(
                directories, host, port, secret, memoryBytes, threads, connectionsMax, splitBytes, freeBytesMin, keep);
    }

    public WorkerOptions withSecret(String newSecret) {
        return new WorkerOptions(
                directories,
                host,
                port,
                newSecret,
                memoryBytes,
                threads,
                connectionsMax,
                splitBytes,
                freeBytesMin,
                leaseKeep);
    }
}
