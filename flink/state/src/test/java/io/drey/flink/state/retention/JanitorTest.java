package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.drey.checkpoint.retention.JobFiles;
import io.drey.checkpoint.retention.SharedName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the janitor looks, what it deletes, and what it says. */
class JanitorTest {
    @TempDir
    Path base;

    private final ModelJob.Clock clock = new ModelJob.Clock();
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> warnings = new ArrayList<>();
    private final List<Janitor> opened = new ArrayList<>();
    private ModelJob job;
    private Path leftover;

    @BeforeEach
    void aJobThatWasKilled() throws IOException {
        job = new ModelJob(base, new SplittableRandom(7), clock);
        job.begin();
        complete();
        leftover = job.write("shared", "drey-2-1-00000000000000aa");
        complete();
        assertThat(job.lastCompleted).isEqualTo(2);
    }

    private void complete() throws IOException {
        job.trigger();
        long id = job.pending.firstKey();
        while (job.pending.containsKey(id)) {
            job.advance(id);
        }
    }

    private Janitor janitor(boolean restored) {
        return janitor(new FlinkJobFiles(), job.directory.toString(), Runnable::run, restored);
    }

    private Janitor janitor(JobFiles files, String directory, Executor executor, boolean restored) {
        Janitor janitor = new Janitor(files, directory, executor, nanos::get, restored, warnings::add);
        opened.add(janitor);
        return janitor;
    }

    @AfterEach
    void close() {
        opened.forEach(Janitor::close);
    }

    private Set<String> listed() {
        Set<String> listed = new java.util.HashSet<>();
        job.kept().forEach(kept -> listed.addAll(kept.listed()));
        return listed;
    }

    @Test
    void theFirstCheckpointBehindARestoreDeletesWhatTheKilledOnesLeft() {
        Janitor janitor = janitor(true);
        assertThat(leftover).exists();
        janitor.completed(2);
        assertThat(leftover).doesNotExist();
        assertThat(job.namedFiles()).isEqualTo(listed());
        assertThat(janitor.deleted()).isEqualTo(1);
        assertThat(janitor.left()).isZero();
        assertThat(warnings).isEmpty();
    }

    /** Written ahead of the first checkpoint of a process that was killed: no number says which might have listed it. */
    @Test
    void whatALogWroteBeforeItSawACheckpointIsDeletedADayLater() throws IOException {
        Path unnumbered = job.write("shared", "drey-" + SharedName.UNKNOWN_FIRST + "-1-00000000000000ab");
        complete();
        clock.move((int) TimeUnit.HOURS.toMillis(23));
        Janitor janitor = janitor(true);
        janitor.completed(3);
        complete();
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        janitor.completed(4);
        assertThat(unnumbered).exists();
        clock.move((int) TimeUnit.HOURS.toMillis(1));
        complete();
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        janitor.completed(5);
        assertThat(unnumbered).doesNotExist();
        assertThat(janitor.left()).isZero();
        assertThat(job.namedFiles()).isEqualTo(listed());
    }

    @Test
    void laterItLooksOnceAnHour() throws IOException {
        Janitor janitor = janitor(true);
        janitor.completed(2);
        job.write("shared", "drey-2-2-00000000000000aa");
        complete();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(59));
        janitor.completed(3);
        assertThat(janitor.deleted()).isEqualTo(1);
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        janitor.completed(3);
        assertThat(janitor.deleted()).isEqualTo(2);
    }

    @Test
    void aFreshJobHasNothingToLookForYet() {
        Janitor janitor = janitor(false);
        janitor.completed(2);
        assertThat(leftover).exists();
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        janitor.completed(2);
        assertThat(leftover).doesNotExist();
    }

    /** A job that has gone back: the younger checkpoint is of an earlier execution, and says nothing of this one. */
    @Test
    void onlyWhatItsOwnExecutionCompletedProvesAnything() {
        janitor(true).completed(1);
        assertThat(leftover).exists();
    }

    @Test
    void damagedMetadataKeepsEverythingAndIsToldOnce() throws IOException {
        Path metadata = job.directory.resolve("chk-2/_metadata");
        byte[] whole = Files.readAllBytes(metadata);
        Files.write(metadata, java.util.Arrays.copyOf(whole, whole.length - 1));
        Janitor janitor = janitor(true);
        janitor.completed(2);
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        janitor.completed(2);
        assertThat(leftover).exists();
        assertThat(janitor.deleted()).isZero();
        assertThat(janitor.left()).isPositive();
        assertThat(warnings).hasSize(1).first().asString().contains("chk-2/_metadata cannot be read");
    }

    /** Operators that share a slot: each look holds all names of the job's files on the heap. */
    @Test
    void ofTheOperatorsOfAProcessOneLooks() {
        AtomicInteger listings = new AtomicInteger();
        JobFiles counted = new Unreachable() {
            @Override
            public List<Entry> list(String directory) throws IOException {
                listings.incrementAndGet();
                return super.list(directory);
            }
        };
        List<Runnable> looks = new ArrayList<>();
        List<Janitor> janitors = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            janitors.add(janitor(counted, "somewhere", looks::add, i > 0));
        }
        janitors.forEach(janitor -> janitor.completed(2));
        assertThat(looks).hasSize(1);
        looks.remove(0).run();
        assertThat(listings).hasValue(1);
        janitors.forEach(janitor -> janitor.completed(3));
        assertThat(looks).isEmpty();
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        janitors.forEach(janitor -> janitor.completed(4));
        assertThat(looks).hasSize(1);
    }

    @Test
    void anotherOneLooksIfTheOneThatDoesIsClosed() {
        List<Runnable> looks = new ArrayList<>();
        Janitor first = janitor(new FlinkJobFiles(), job.directory.toString(), looks::add, true);
        Janitor second = janitor(true);
        first.completed(2);
        first.close();
        looks.remove(0).run();
        assertThat(leftover).exists();
        second.completed(2);
        assertThat(leftover).doesNotExist();
    }

    @Test
    void aTaskThatIsRestoredLooksAgainAtOnce() throws IOException {
        janitor(true).completed(2);
        Path again = job.write("shared", "drey-2-2-00000000000000aa");
        complete();
        Janitor restarted = janitor(true);
        restarted.completed(3);
        assertThat(again).doesNotExist();
    }

    @Test
    void aClosedJanitorDeletesNothing() {
        Janitor janitor = janitor(true);
        janitor.close();
        janitor.completed(2);
        assertThat(leftover).exists();
        Janitor.none().completed(2);
    }

    /** A storage that does not answer. */
    private static class Unreachable implements JobFiles {
        private static IOException failure() {
            return new IOException("connection refused");
        }

        @Override
        public List<Entry> list(String directory) throws IOException {
            throw failure();
        }

        @Override
        public byte[] read(String file, int bytesMax) throws IOException {
            throw failure();
        }

        @Override
        public Set<String> listed(byte[] metadata, String file) throws IOException {
            throw failure();
        }

        @Override
        public void delete(String path) throws IOException {
            throw failure();
        }
    }

    /** Flink's threads end the process with an error. */
    @Test
    void aLookWithoutMemoryIsTold() {
        JobFiles large = new Unreachable() {
            @Override
            public List<Entry> list(String directory) {
                throw new OutOfMemoryError("Java heap space");
            }
        };
        janitor(large, "somewhere", Runnable::run, true).completed(1);
        assertThat(warnings).hasSize(1).first().asString().contains("somewhere", "Java heap space");
    }

    @Test
    void aStorageThatDoesNotAnswerIsToldAndAskedAgain() {
        Janitor janitor = janitor(new Unreachable(), "somewhere", Runnable::run, true);
        janitor.completed(1);
        assertThat(warnings).hasSize(1).first().asString().contains("somewhere", "connection refused");
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        janitor.completed(2);
        assertThat(warnings).hasSize(1);
    }

    /** That is no failure of the task, which tells it of the checkpoint. */
    @Test
    void aLookWithoutAThreadIsMadeAnHourLater() {
        AtomicInteger asked = new AtomicInteger();
        Executor full = work -> {
            asked.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        };
        Janitor janitor = janitor(new Unreachable(), "somewhere", full, true);
        assertThatCode(() -> janitor.completed(1)).doesNotThrowAnyException();
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertThatCode(() -> janitor.completed(2)).doesNotThrowAnyException();
        assertThat(asked).hasValue(2);
    }
}
