package io.drey.bench.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.result.ShuffleComparison;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A comparison of shuffle services whose processes are real, and never answer. */
class ShuffleRunIT {
    @TempDir
    private Path directory;

    /** A worker that nobody reaches. */
    static final class Deaf {
        public static void main(String[] arguments) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    /** Ctrl-C ends the processes that are waited for, too. */
    @Test
    @Timeout(50)
    void aComparisonThatWaitsForAProcessIsStoppedAndKeepsWhatIsKnown() throws Exception {
        ShuffleRun.Settings settings = new ShuffleRun.Settings(
                ShuffleLoads.usual(), true, 1, null, directory, List.of(Deaf.class.getName()), "./drey compare");
        List<ShuffleComparison> kept = new ArrayList<>();
        ShuffleRun run = new ShuffleRun(settings, null, kept::add);
        Path log = directory.resolve("run/random/workers/worker-0.out");
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> {
            while (!Files.exists(log)) {
                Thread.onSpinWait();
            }
            run.stop();
        });
        ShuffleComparison comparison = run.run();
        stop.join();
        assertThat(comparison.status()).isEqualTo("interrupted");
        assertThat(kept).containsExactly(comparison);
        assertThat(directory).doesNotExist();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
        assertThat(Thread.interrupted()).isFalse();
    }
}
