package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.SharedNames;
import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import io.drey.testkit.Coroutine;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Batches of writes over a storage that is slow, hangs and fails, by one seed and its own clock: each attempt is a
 * coroutine that goes on when the seed says so. What a batch returns is stored as a whole, and nothing else stays, once
 * all attempts have ended: whether it was cancelled, failed, or ended long before them.
 */
@Tag(Effort.TAG)
final class WritesModelTest {
    private static final int SEEDS = 20_000;
    private static final long STEP_NANOS_MAX = 400_000_000;

    /** What happened in all histories. */
    private long won;

    private long lost;
    private long failed;
    private long cancelled;
    private long refused;

    @Test
    void whatIsReturnedIsStoredAndNothingElse() {
        Seeds.cases(SEEDS, seed -> new History(seed).run());
        assertThat(List.of(won, lost, failed, cancelled, refused)).allMatch(count -> count > SEEDS / 100);
    }

    /** A stored file is complete, or not. */
    private final class History {
        private final SplittableRandom random;
        private final SecondAttempts second = new SecondAttempts();
        private final SharedNames names = new SharedNames(new UUID(1, 2));
        private final TreeMap<String, Boolean> storage = new TreeMap<>();
        private final Set<String> created = new HashSet<>();
        private final List<Coroutine> attempts = new ArrayList<>();
        private final int failPercent;
        private final int refusePercent;
        private long now;

        History(long seed) {
            random = new SplittableRandom(seed);
            failPercent = random.nextInt(3) * random.nextInt(25);
            refusePercent = random.nextInt(3) == 0 ? random.nextInt(90) : 0;
        }

        void run() throws Exception {
            Set<String> returned = new TreeSet<>();
            for (int batches = 1 + random.nextInt(3); batches > 0; batches--) {
                List<String> results = batch();
                results.forEach(name -> {
                    assertThat(storage).containsEntry(name, true);
                    assertThat(returned.add(name)).isTrue();
                });
            }
            while (!attempts.isEmpty()) {
                resumeAny(1 + random.nextInt(10));
            }
            assertThat(storage.keySet()).isEqualTo(returned);
            assertThat(storage.values()).doesNotContain(false);
            assertThat(second.running()).isZero();
            won += second.won();
            lost += second.begun() - second.won();
        }

        /** The results, empty if it failed. */
        private List<String> batch() throws InterruptedException {
            List<Write<String>> writes = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                writes.add(new StoredWrite(1 + random.nextInt(100_000)));
            }
            Writes<String> batch =
                    new Writes<>(writes, 1 + random.nextInt(4), this::execute, second, () -> now, this::discard);
            boolean cancels = random.nextInt(8) == 0;
            while (!batch.isOver()) {
                batch.look();
                now += random.nextLong(STEP_NANOS_MAX);
                if (cancels && random.nextInt(20) == 0) {
                    batch.close();
                } else if (random.nextInt(3) != 0) {
                    resumeAny(1 + random.nextInt(10));
                }
            }
            try {
                List<String> results = batch.results();
                assertThat(results).hasSameSizeAs(writes);
                return results;
            } catch (CancellationException e) {
                cancelled++;
                return List.of();
            } catch (IOException e) {
                assertThat(e).hasMessage("injected");
                failed++;
                return List.of();
            }
        }

        private void execute(Runnable attempt) {
            if (random.nextInt(100) < refusePercent) {
                refused++;
                throw new RejectedExecutionException("no thread");
            }
            attempts.add(new Coroutine(attempt::run));
        }

        private void resumeAny(int pauses) {
            if (!attempts.isEmpty()) {
                Coroutine attempt = attempts.get(random.nextInt(attempts.size()));
                if (attempt.resume(pauses)) {
                    assertThat(attempt.failure()).isNull();
                    attempts.remove(attempt);
                }
            }
        }

        private void discard(String name) {
            assertThat(storage.remove(name)).as(name).isTrue();
        }

        private void fail() throws IOException {
            if (random.nextInt(100) < failPercent) {
                throw new IOException("injected");
            }
        }

        private final class StoredWrite implements Write<String> {
            private final int bytes;

            StoredWrite(int bytes) {
                this.bytes = bytes;
            }

            @Override
            public long bytes() {
                return bytes;
            }

            @Override
            public String run(Attempt attempt) throws IOException {
                Coroutine.pause();
                fail();
                String name = names.next(7);
                assertThat(created.add(name)).as("no name twice").isTrue();
                storage.put(name, false);
                boolean done = false;
                try {
                    for (int part = 0; part < 4; part++) {
                        Coroutine.pause();
                        fail();
                        attempt.wrote(bytes / 4);
                    }
                    storage.put(name, true);
                    Coroutine.pause();
                    fail();
                    done = true;
                    return name;
                } finally {
                    if (!done) {
                        storage.remove(name);
                    }
                }
            }
        }
    }
}
