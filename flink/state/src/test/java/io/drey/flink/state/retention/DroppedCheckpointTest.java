package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobFiles;
import io.drey.checkpoint.retention.Retention;
import io.drey.checkpoint.retention.Retention.Need;
import io.drey.checkpoint.upload.Writes.Clock;
import io.drey.flink.state.retention.ModelJob.Completed;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that a job drops while somebody looks: it deletes what they list before their meta data. */
class DroppedCheckpointTest {
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);

    @TempDir
    Path base;

    private ModelJob job;
    private Path leftover;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Moves by what is waited for; the job does its next step in each wait. */
    private static final class StepClock implements Clock {
        private final List<Step> steps = new ArrayList<>();
        private long nanos;
        private int waits;

        private interface Step {
            void run() throws IOException;
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public boolean await(CountDownLatch latch, long wait) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            waits++;
            nanos += wait;
            try {
                if (!steps.isEmpty()) {
                    steps.remove(0).run();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return latch.getCount() == 0;
        }
    }

    private final StepClock clock = new StepClock();

    @BeforeEach
    void aJobWithThreeCheckpoints() throws IOException {
        job = new ModelJob(base, new SplittableRandom(3), new ModelJob.Clock());
        job.begin();
        complete();
        leftover = job.write("shared", "drey-1-9-00000000000000aa");
        while (job.retained.size() < 3) {
            complete();
        }
    }

    private void complete() throws IOException {
        job.subtasks.forEach(ModelSubtask::change);
        job.trigger();
        long id = job.pending.firstKey();
        while (job.pending.containsKey(id)) {
            job.advance(id);
        }
    }

    private Completed first() {
        return job.retained.firstEntry().getValue();
    }

    private Completed second() {
        return job.retained.higherEntry(job.retained.firstKey()).getValue();
    }

    private Completed last() {
        return job.retained.lastEntry().getValue();
    }

    /** Deletes a shared file of a checkpoint that none of the others lists. */
    private void deleteSharedOf(Completed checkpoint) throws IOException {
        Set<String> listed = new HashSet<>(checkpoint.listed());
        job.retained.values().stream()
                .filter(each -> !each.equals(checkpoint))
                .forEach(each -> listed.removeAll(each.listed()));
        Files.delete(Path.of(listed.iterator().next()));
    }

    /** Deletes a file that is in its directory. */
    private static void deleteOneOf(Completed checkpoint) throws IOException {
        try (Stream<Path> inside = Files.list(checkpoint.directory())) {
            Files.delete(inside.filter(file -> !file.equals(metadata(checkpoint)))
                    .findFirst()
                    .orElseThrow());
        }
    }

    private static Path metadata(Completed checkpoint) {
        return checkpoint.directory().resolve("_metadata");
    }

    private JobDirectory read() throws IOException {
        return read(new FlinkJobFiles());
    }

    private JobDirectory read(JobFiles files) throws IOException {
        return JobDirectory.read(files, job.directory.toString(), 1 << 20, clock, closed);
    }

    private Need needOfLeftover(JobDirectory found) {
        Retention retention = new Retention(found, Long.MAX_VALUE, Long.MAX_VALUE);
        return found.files().stream()
                .filter(file -> leftover.endsWith(file.path()))
                .map(retention::need)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCheckpointWhoseFilesAreDeletedBeforeItsMetadataIsNotDamaged() throws IOException {
        deleteSharedOf(first());
        clock.steps.add(() -> {});
        clock.steps.add(() -> Files.delete(metadata(first())));

        JobDirectory found = read();

        assertThat(found.doubts()).isEmpty();
        assertThat(found.retained())
                .extracting(JobDirectory.RetainedCheckpoint::id)
                .containsExactly(second().id(), last().id());
        assertThat(needOfLeftover(found)).isEqualTo(Need.GARBAGE);
    }

    /** What it lists is another matter: it was mentioned when this began. */
    @Test
    void whatACheckpointListsThatGoesMeanwhileIsNotGarbageYet() throws IOException {
        deleteOneOf(first());
        clock.steps.add(() -> Files.delete(metadata(first())));
        JobDirectory found = read();
        Retention retention = new Retention(found, Long.MAX_VALUE, Long.MAX_VALUE);
        Set<String> listed = first().listed();
        assertThat(found.files())
                .filteredOn(file -> listed.contains(job.directory + "/" + file.path()))
                .isNotEmpty()
                .allMatch(file -> retention.need(file) == Need.LISTED);
    }

    @Test
    void checkpointsThatLackFilesForGoodAreDoubtedAfterOneWaitForAll() throws IOException {
        deleteOneOf(first());
        deleteOneOf(second());
        JobDirectory found = read();
        assertThat(found.doubts()).hasSize(2).allMatch(doubt -> doubt.contains("files that are not there"));
        assertThat(found.retained()).hasSize(3);
        assertThat(needOfLeftover(found)).isEqualTo(Need.DOUBTFUL);
        assertThat(clock.nanos).isEqualTo(LIMIT_NANOS);
    }

    /** No job drops it. */
    @Test
    void theLastCheckpointIsDoubtedAtOnce() throws IOException {
        deleteOneOf(last());
        assertThat(read().doubts()).hasSize(1).first().asString().contains("chk-" + last().id());
        assertThat(clock.waits).isZero();
    }

    @Test
    void aLastCheckpointThatIsNotTheLastAnyMoreMayBeDropped() throws IOException {
        Completed dropped = last();
        DelegatingFiles files = new DelegatingFiles() {
            private int listings;

            @Override
            public List<Entry> list(String directory) throws IOException {
                // All meta data has been read when what is beside it is looked for.
                if (dropped.directory().endsWith(Path.of(directory).getFileName()) && ++listings == 2) {
                    complete();
                    deleteOneOf(dropped);
                }
                return super.list(directory);
            }
        };
        clock.steps.add(() -> Files.delete(metadata(dropped)));
        assertThat(read(files).doubts()).isEmpty();
        assertThat(clock.waits).isOne();
    }

    @Test
    void whoIsClosedWaitsNoMore() throws IOException {
        deleteOneOf(first());
        clock.steps.add(closed::countDown);
        assertThat(read().doubts()).hasSize(1);
        assertThat(clock.waits).isOne();
    }

    @Test
    void anInterruptEndsTheLookAndIsKept() throws IOException {
        deleteOneOf(first());
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(this::read).isInstanceOf(InterruptedIOException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private Janitor janitor(List<String> warnings) {
        return new Janitor(new FlinkJobFiles(), job.directory.toString(), Runnable::run, clock, true, warnings::add);
    }

    @Test
    void theJanitorDeletesBehindACheckpointThatIsBeingDropped() throws IOException {
        deleteSharedOf(first());
        clock.steps.add(() -> Files.delete(metadata(first())));
        List<String> warnings = new ArrayList<>();
        try (Janitor janitor = janitor(warnings)) {
            janitor.completed(last().id());
            assertThat(leftover).doesNotExist();
            assertThat(warnings).isEmpty();
        }
    }

    @Test
    void aJanitorThatIsClosedWhileItWaitsDeletesNothingAndSaysNothing() throws IOException {
        deleteOneOf(first());
        List<String> warnings = new ArrayList<>();
        try (Janitor janitor = janitor(warnings)) {
            clock.steps.add(janitor::close);
            janitor.completed(last().id());
        }
        assertThat(clock.waits).isOne();
        assertThat(leftover).exists();
        assertThat(warnings).isEmpty();
    }
}
