package io.drey.cli.doctor;

import io.drey.cli.doctor.TreatedJob.Illness;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A job whose state is on a heap that hardly holds it, in a process of its own: collecting concerns all of one. */
final class FullHeap implements AutoCloseable {
    private static final String HEAP = "-Xmx128m";
    private static final int KEYS = 50_000;
    private static final int VALUE_BYTES = 1_000;
    private static final long UPDATES = 4 * KEYS;
    private static final int EXIT_SECONDS_MAX = 30;

    private final Process process;
    private final BufferedReader output;

    FullHeap(Path directory) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullHeap.class.getName(),
                        directory.toString())
                .redirectError(
                        Files.createFile(directory.resolve("full-heap.log")).toFile())
                .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Runs the job until its standard input ends. */
    public static void main(String[] arguments) throws Exception {
        Illness illness = new Illness();
        illness.backend = "hashmap";
        illness.keys = KEYS;
        illness.valueBytes = VALUE_BYTES;
        illness.perSecond = 1_000_000;
        illness.managedBytes = 4L << 20;
        illness.interval = Duration.ofMinutes(1);
        try (TreatedJob job = new TreatedJob(Path.of(arguments[0]), illness).after(UPDATES)) {
            System.out.println(job.address());
            while (System.in.read() >= 0) {
                // Whoever started it still looks.
            }
        }
    }

    /** Where its REST API is, once the heap is full. */
    URI address() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the process ended early: see full-heap.log");
        }
        return URI.create(line);
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(EXIT_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("the process did not end within " + EXIT_SECONDS_MAX + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
