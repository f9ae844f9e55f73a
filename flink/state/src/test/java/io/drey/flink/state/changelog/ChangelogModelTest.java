package io.drey.flink.state.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.changelog.ChangelogFixture.Change;
import io.drey.foundation.Memory;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.SequenceNumber;
import org.apache.flink.runtime.state.changelog.StateChangelogWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs of several tasks in a small memory, over a storage that fails at times: what a checkpoint lists is what was
 * appended since the sequence number that it begins at, and in the end the storage holds what was listed.
 */
@Tag(Effort.TAG)
class ChangelogModelTest {
    private static final int CASES = 4;
    private static final int STEPS = 150;
    private static final int LOGS_MAX = 5;
    private static final MemorySize MEMORY = MemorySize.ofMebiBytes(4);

    @TempDir
    Path directory;

    @Test
    void whatACheckpointListsIsWhatWasAppended() {
        Seeds.cases(CASES, seed -> {
            long memoryBefore = Memory.allocatedBytes();
            SplittableRandom random = new SplittableRandom(seed);
            Path place = directory.resolve("case-" + seed);
            try (ChangelogFixture fixture = new ChangelogFixture(place, MEMORY)) {
                History history = new History(fixture, random);
                for (int step = 0; step < STEPS; step++) {
                    history.step();
                }
                FailingFileSystem.FAILING.set(false);
                history.end();
            } finally {
                FailingFileSystem.FAILING.set(false);
            }
            long end = System.nanoTime() + 10_000_000_000L;
            while (Memory.allocatedBytes() != memoryBefore && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertThat(Memory.allocatedBytes()).isEqualTo(memoryBefore);
        });
    }

    /** A log and what is in it, by the sequence number before which it was appended. */
    private static final class Log {
        final StateChangelogWriter<ChangelogStateHandleStreamImpl> writer;
        final TreeMap<Long, Integer> ends = new TreeMap<>();
        final List<Change> changes = new ArrayList<>();
        SequenceNumber begin = SequenceNumber.of(0);

        Log(StateChangelogWriter<ChangelogStateHandleStreamImpl> writer) {
            this.writer = writer;
            ends.put(0L, 0);
        }

        SequenceNumber mark() {
            SequenceNumber mark = writer.nextSequenceNumber();
            ends.put(number(mark), changes.size());
            return mark;
        }

        List<Change> since(SequenceNumber mark) {
            return changes.subList(ends.get(number(mark)), changes.size());
        }

        static long number(SequenceNumber mark) {
            return ((SequenceNumber.GenericSequenceNumber) mark).number;
        }
    }

    private static final class History {
        private final ChangelogFixture fixture;
        private final SplittableRandom random;
        private final List<Log> logs = new ArrayList<>();
        private final Set<String> listed = new HashSet<>();
        private long checkpoint;

        History(ChangelogFixture fixture, SplittableRandom random) {
            this.fixture = fixture;
            this.random = random;
        }

        void step() throws Exception {
            if (logs.isEmpty() || (logs.size() < LOGS_MAX && random.nextInt(20) == 0)) {
                logs.add(new Log(fixture.writer()));
            }
            Log log = logs.get(random.nextInt(logs.size()));
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3, 4 -> append(log);
                case 5, 6 -> checkpoint(log);
                case 7 -> log.mark();
                case 8 -> truncate(log);
                default -> {
                    if (random.nextInt(8) == 0) {
                        log.writer.close();
                        logs.remove(log);
                    } else {
                        FailingFileSystem.FAILING.set(random.nextInt(3) == 0);
                    }
                }
            }
        }

        private void append(Log log) throws Exception {
            // More than the memory holds must have somewhere to go.
            boolean large = random.nextInt(6) == 0 && !FailingFileSystem.FAILING.get();
            int count = random.nextInt(1, 200);
            for (int i = 0;
                    i < count && fixture.storage.getAvailabilityProvider().isAvailable();
                    i++) {
                byte[] bytes = new byte[random.nextInt(large ? 100_000 : 300)];
                if (random.nextBoolean()) {
                    random.nextBytes(bytes);
                }
                int keyGroup = random.nextInt(-1, 10);
                if (keyGroup < 0) {
                    log.writer.appendMeta(bytes);
                } else {
                    log.writer.append(keyGroup, bytes);
                }
                log.changes.add(Change.of(keyGroup, bytes));
            }
        }

        /** Whether it completed: the storage may have failed just before. */
        private boolean checkpoint(Log log) throws Exception {
            checkpoint++;
            SequenceNumber begin = log.begin;
            SequenceNumber end = log.mark();
            List<Change> expected = new ArrayList<>(log.since(begin));
            CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> result =
                    log.writer.persist(begin, checkpoint);
            if (random.nextInt(3) == 0) {
                append(log);
                truncate(log);
            }
            try {
                ChangelogStateHandleStreamImpl handle =
                        result.get(1, TimeUnit.MINUTES).getJobManagerOwnedSnapshot();
                listed.addAll(ChangelogFixture.files(handle));
                assertThat(fixture.read(handle)).isEqualTo(expected);
                log.writer.confirm(begin, end, checkpoint);
                return true;
            } catch (ExecutionException e) {
                assertThat(e).hasMessageContaining("the storage takes no files");
                log.writer.reset(begin, end, checkpoint);
                return false;
            }
        }

        private void truncate(Log log) {
            SequenceNumber mark = log.mark();
            log.begin = mark;
            log.writer.truncate(mark);
        }

        void end() throws Exception {
            for (Log log : logs) {
                assertThat(checkpoint(log) || checkpoint(log)).isTrue();
                log.writer.close();
            }
            fixture.awaitFiles(listed);
        }
    }
}
