package io.drey.cli.doctor.host;

import io.drey.cli.doctor.host.HostFacts.DirectoryFacts;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.local.LocalDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Measures what a directory's disk does: writes a file of its own in a directory of its own, reads it at random, first
 * one read at a time, then several at once, and deletes it again. Takes some seconds.
 */
final class DirectoryProbe {
    private static final long FILE_BYTES_MAX = 256L << 20;
    private static final long WRITE_NANOS_MAX = TimeUnit.SECONDS.toNanos(3);
    private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int WRITE_BYTES = 1 << 20;
    private static final int READ_BYTES = 4 << 10;
    private static final int THREADS = 8;
    private static final int SAMPLES_MAX = 1 << 18;
    private static final String FILE = "measured";

    private final LocalDirectory directory;
    private final boolean direct;
    private long fileBytes;

    private DirectoryProbe(LocalDirectory directory, boolean direct) {
        this.directory = directory;
        this.direct = direct;
    }

    static DirectoryFacts measure(Path path) {
        Path own = null;
        try {
            if (!Files.isDirectory(path)) {
                return DirectoryFacts.unusable(
                        path.toString(), Files.exists(path) ? "it is a file" : "it does not exist");
            }
            own = Files.createTempDirectory(path, "drey-doctor-");
            // For Ctrl-C; the last one first.
            own.toFile().deleteOnExit();
            own.resolve(FILE).toFile().deleteOnExit();
            return open(own).measured(path);
        } catch (IOException e) {
            return DirectoryFacts.unusable(path.toString(), e.getClass().getSimpleName() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DirectoryFacts.unusable(path.toString(), "the measurement was interrupted");
        } finally {
            delete(own);
        }
    }

    private static void delete(Path own) {
        if (own != null && !Files.notExists(own)) {
            try {
                Files.deleteIfExists(own.resolve(FILE));
                Files.deleteIfExists(own);
            } catch (IOException e) {
                throw new IllegalStateException("expected to delete " + own + ", delete it by hand", e);
            }
        }
    }

    private static DirectoryProbe open(Path own) throws IOException {
        try {
            return new DirectoryProbe(LocalDirectory.direct(own), true);
        } catch (IOException e) {
            // Such as a file system in memory: then it is measured as the page cache shows it.
            return new DirectoryProbe(LocalDirectory.at(own), false);
        }
    }

    private DirectoryFacts measured(Path path) throws IOException, InterruptedException {
        long usable = directory.usableBytes();
        double write = write(Math.min(FILE_BYTES_MAX, usable / 4));
        try (ReadableFile file = directory.open(FILE)) {
            long[] micros = latencies(file);
            return new DirectoryFacts(
                    path.toString(),
                    null,
                    Files.getFileStore(path).type(),
                    usable,
                    directory.diskBytes(),
                    direct,
                    micros[micros.length / 2] / 1e3,
                    micros[(int) (micros.length * 0.99)] / 1e3,
                    ceiling(file),
                    write);
        }
    }

    /** Writes and syncs; bytes per second. */
    private double write(long bytesMax) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_BYTES);
        new SplittableRandom(1).ints(WRITE_BYTES / 4).forEach(buffer::putInt);
        long begin = System.nanoTime();
        try (WritableFile file = directory.create(FILE)) {
            while (fileBytes + WRITE_BYTES <= bytesMax && System.nanoTime() - begin < WRITE_NANOS_MAX) {
                file.write(buffer.rewind());
                fileBytes += WRITE_BYTES;
            }
            file.sync();
        }
        if (fileBytes == 0) {
            throw new IOException("it has no room for a file of " + WRITE_BYTES + " bytes to measure with");
        }
        return fileBytes / ((System.nanoTime() - begin) / 1e9);
    }

    /** Times of single reads, sorted, in nanoseconds. */
    private long[] latencies(ReadableFile file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
        SplittableRandom random = new SplittableRandom(2);
        long[] nanos = new long[SAMPLES_MAX];
        int count = 0;
        long begin = System.nanoTime();
        while (count < SAMPLES_MAX && System.nanoTime() - begin < READ_NANOS) {
            long before = System.nanoTime();
            file.read(place(random), buffer.clear());
            nanos[count++] = System.nanoTime() - before;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted;
    }

    private long place(SplittableRandom random) {
        return random.nextLong(fileBytes / READ_BYTES) * READ_BYTES;
    }

    /** Reads a second of several threads at once. */
    private double ceiling(ReadableFile file) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long end = System.nanoTime() + READ_NANOS;
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(3 + i);
                Callable<Long> reads = () -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
                    long count = 0;
                    while (System.nanoTime() < end) {
                        file.read(place(random), buffer.clear());
                        count++;
                    }
                    return count;
                };
                counts.add(threads.submit(reads));
            }
            long sum = 0;
            for (Future<Long> count : counts) {
                sum += count.get();
            }
            return sum / (READ_NANOS / 1e9);
        } catch (ExecutionException e) {
            throw new IOException("reading failed: " + e.getCause().getMessage(), e);
        } finally {
            threads.shutdownNow();
        }
    }
}
