package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.options.DreyOptions;
import io.drey.foundation.Memory;
import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.memory.MemoryManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many tasks at once in one process: slots of little memory, each shared by several backends, all with the same
 * background threads, as many as there may be. Not repeatable by a seed: for what only real threads bring about.
 */
@Tag(Effort.TAG)
class BackendStressTest {
    private static final int SLOTS = 2;
    private static final int TASKS_PER_SLOT = 4;
    private static final long SLOT_BYTES = 4 << 20;
    private static final int UPLOADS = 4;
    private static final long END_MS_MAX = 30_000;

    /** At least two, that jobs of one backend run at once. */
    private static final int THREADS_MAX = Math.max(2, Runtime.getRuntime().availableProcessors());

    @TempDir
    Path directory;

    private final TestSummary summary = new TestSummary(BackendStressTest.class);

    @Test
    void manyBackendsHoldWhatWasPutAtEverySettingOfTheBackground() throws Exception {
        long operations = Effort.of(800_000, 6_000_000, 100_000_000) / THREADS_MAX;
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            long before = Memory.allocatedBytes();
            run(threads, operations);
            assertThat(Memory.allocatedBytes()).as("memory outside the heap").isEqualTo(before);
            try (Stream<Path> files = Files.walk(directory)) {
                assertThat(files.filter(Files::isRegularFile)).isEmpty();
            }
            assertBackgroundEnds();
            summary.add("settings of the background", 1);
        }
        summary.print();
        assertThat(summary.of("checkpoints")).isPositive();
        assertThat(summary.of("aborted checkpoints")).isPositive();
        assertThat(summary.of("cancelled uploads")).isPositive();
        assertThat(summary.of("restores")).isPositive();
    }

    /** Whoever closes the background does not wait for its threads, which end after the part of a job they are at. */
    private static void assertBackgroundEnds() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("drey-background")) {
                thread.join(END_MS_MAX);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    private void run(int threads, long operations) throws Exception {
        DreyStateBackend backend =
                new DreyStateBackend(new Configuration().set(DreyOptions.BACKGROUND_THREADS, threads));
        ExecutorService tasks = Executors.newFixedThreadPool(SLOTS * TASKS_PER_SLOT);
        ExecutorService uploads = Executors.newFixedThreadPool(UPLOADS);
        List<BackendFixture> fixtures = new ArrayList<>();
        List<Future<?>> running = new ArrayList<>();
        try {
            for (int slot = 0; slot < SLOTS; slot++) {
                MemoryManager memory = MemoryManager.create(SLOT_BYTES, MemoryManager.DEFAULT_PAGE_SIZE);
                for (int i = 0; i < TASKS_PER_SLOT; i++) {
                    String name = threads + "-" + slot + "-" + i;
                    BackendFixture fixture =
                            new BackendFixture(Files.createDirectory(directory.resolve("local-" + name)), memory);
                    fixtures.add(fixture);
                    StressTask task = new StressTask(
                            running.size() + 100L * threads,
                            fixture,
                            backend,
                            directory.resolve("storage-" + name),
                            uploads,
                            summary);
                    running.add(tasks.submit(() -> {
                        task.run(operations / (SLOTS * TASKS_PER_SLOT));
                        return null;
                    }));
                }
            }
            await(running);
        } finally {
            tasks.shutdownNow();
            uploads.shutdownNow();
            fixtures.forEach(BackendFixture::close);
        }
    }

    private static void await(List<Future<?>> running) throws InterruptedException {
        AssertionError failure = null;
        for (Future<?> task : running) {
            try {
                task.get();
            } catch (ExecutionException e) {
                if (failure == null) {
                    failure =
                            new AssertionError("a task failed: " + e.getCause().getMessage(), e.getCause());
                } else {
                    failure.addSuppressed(e.getCause());
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
