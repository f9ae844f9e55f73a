package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.worker.ShuffleWorker;
import io.drey.shuffle.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A worker in this process, which is its own registry. */
final class TestWorkers implements AutoCloseable {
    private static final int PATIENCE = 100;

    private final Path directory;
    private ShuffleWorker worker;
    private int port;

    TestWorkers(Path directory) throws IOException {
        this.directory = directory;
        start();
    }

    private void start() throws IOException {
        worker = ShuffleWorker.open(
                WorkerOptions.of(directory).withPort(port).withFreeBytesMin(0).withMemory(64 << 20));
        port = worker.port();
    }

    InetSocketAddress registry() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    void stop() throws IOException {
        worker.close();
    }

    void restart() throws IOException {
        start();
    }

    /** Deletes all that a stopped worker had, as if its disks were changed. */
    void empty() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(directory)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** A job that has ended leaves no data: its partitions are released a moment later. */
    void expectNothingLeft() throws IOException, InterruptedException {
        List<Path> left = parts();
        for (int i = 0; i < PATIENCE && !left.isEmpty(); i++) {
            Thread.sleep(100);
            left = parts();
        }
        assertThat(left).isEmpty();
    }

    /** Files of partitions; the worker deletes some while they are looked for. */
    List<Path> parts() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().matches("\\d+-[0-9a-f]+\\.\\d+")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException cause) throws IOException {
                if (cause instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw cause;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException cause) throws IOException {
                if (cause == null || cause instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw cause;
            }
        });
        return found;
    }

    @Override
    public void close() throws IOException {
        worker.close();
    }
}
