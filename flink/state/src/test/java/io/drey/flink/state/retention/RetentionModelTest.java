package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.JobFiles;
import io.drey.checkpoint.retention.Retention;
import io.drey.checkpoint.retention.Retention.Need;
import io.drey.checkpoint.upload.Writes;
import io.drey.flink.state.retention.ModelJob.Completed;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of jobs: checkpoints overlap, fail and complete; processes are killed between any two steps; jobs go
 * on, go back to an older checkpoint, change their parallelism, or move into another directory with or without a claim.
 * Meanwhile the audit and the janitor delete, while checkpoints go on between any two of their steps and meta data may
 * be damaged; in some histories the clock goes back, and only the janitor deletes, which needs none. Nothing that a
 * checkpoint lists or comes to list is deleted, and in the end nothing else is left.
 */
@Tag(Effort.TAG)
class RetentionModelTest {
    private static final int CASES = 40;
    private static final int STEPS = 250;
    private static final int OVERLAPPING_MAX = 4;
    private static final int SUBTASKS_MAX = 4;
    private static final int AGE_MS_MAX = 60;
    private static final int BACK_MS_MAX = 100;

    @TempDir
    Path base;

    private int deletedByAudit;
    private int deletedByJanitor;
    private int completed;
    private int wentBack;
    private int moved;
    private int waitedWell;
    private int waitedInVain;

    @Test
    void exactlyTheGarbageIsDeleted() {
        Seeds.cases(CASES, seed -> {
            History history = new History(seed);
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            history.end();
        });
        assertThat(deletedByAudit).isGreaterThan(CASES);
        assertThat(deletedByJanitor).isGreaterThan(CASES);
        assertThat(completed).isGreaterThan(10 * CASES);
        assertThat(wentBack).isGreaterThan(CASES);
        assertThat(moved).isGreaterThan(CASES);
        assertThat(waitedWell).isPositive();
        assertThat(waitedInVain).isPositive();
    }

    /** A storage during some calls of which the job goes on, and while somebody waits. */
    private static final class BusyStorage implements JobFiles, Writes.Clock {
        private final FlinkJobFiles files = new FlinkJobFiles();
        private final History history;
        private int interruptions;
        private long nanos;
        private int waits;

        BusyStorage(History history) {
            this.history = history;
            interruptions = history.over ? 0 : history.random.nextInt(4);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public boolean await(CountDownLatch latch, long wait) {
            nanos += wait;
            waits++;
            try {
                goOnMaybe();
                if (!history.over && history.random.nextInt(4) == 0) {
                    history.job.finishDrops();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return false;
        }

        private void goOnMaybe() throws IOException {
            if (interruptions > 0 && history.random.nextInt(4) == 0) {
                interruptions--;
                history.goOnMeanwhile();
            }
        }

        @Override
        public List<Entry> list(String directory) throws IOException {
            goOnMaybe();
            return files.list(directory);
        }

        @Override
        public byte[] read(String file, int bytesMax) throws IOException {
            goOnMaybe();
            return files.read(file, bytesMax);
        }

        @Override
        public Set<String> listed(byte[] metadata, String file) throws IOException {
            goOnMaybe();
            return files.listed(metadata, file);
        }

        @Override
        public void delete(String path) throws IOException {
            files.delete(path);
        }
    }

    private final class History {
        private final SplittableRandom random;
        private final ModelJob.Clock clock;
        private final boolean clockGoesBack;
        private final Path parent = Files.createTempDirectory(base, "checkpoints");
        private final List<ModelJob> jobs = new ArrayList<>();
        private ModelJob job;

        /** Meta data of a checkpoint that is damaged now, as it was; null if none is. */
        private Path damaged;

        private byte[] whole;
        private byte[] cut;
        private boolean over;

        History(long seed) throws IOException {
            random = new SplittableRandom(seed);
            clock = new ModelJob.Clock(random);
            clockGoesBack = random.nextInt(4) == 0;
            job = new ModelJob(parent, random, clock);
            job.dropsLater = true;
            jobs.add(job);
            job.begin();
        }

        void step() throws IOException {
            if (random.nextInt(6) == 0) {
                heal();
                deleteHalfDropped();
            }
            switch (random.nextInt(33)) {
                case 0, 1, 2, 3 ->
                    job.subtasks.get(random.nextInt(job.subtasks.size())).change();
                case 4, 5, 6, 7 -> trigger();
                case 8 -> abort();
                case 9 -> job.failOver(random.nextInt(job.subtasks.size()));
                case 10 -> job.tasksDie(parallelism());
                case 11 -> goOn();
                case 12 -> goBack();
                case 13 -> move();
                case 14, 15 -> audit(jobs.get(random.nextInt(jobs.size())));
                case 16 -> clean();
                case 17 -> damage();
                default -> {
                    advance();
                    if (job.isDropping() && random.nextBoolean()) {
                        clean();
                    }
                }
            }
        }

        /** What may happen while somebody looks. */
        private void goOnMeanwhile() throws IOException {
            for (int i = random.nextInt(12); i > 0; i--) {
                switch (random.nextInt(8)) {
                    case 0 ->
                        job.subtasks.get(random.nextInt(job.subtasks.size())).change();
                    case 1 -> trigger();
                    case 2 -> abort();
                    default -> advance();
                }
            }
        }

        /** Damages meta data for a while. */
        private void damage() throws IOException {
            heal();
            List<Completed> kept = job.kept();
            if (!kept.isEmpty()) {
                damaged = kept.get(random.nextInt(kept.size())).directory().resolve("_metadata");
                whole = Files.readAllBytes(damaged);
                cut = Arrays.copyOf(whole, random.nextInt(whole.length));
                rewrite(cut);
            }
        }

        private void heal() throws IOException {
            if (isDamaged()) {
                rewrite(whole);
            }
            damaged = null;
        }

        /** A user does so whose job manager died while it dropped them. */
        private void deleteHalfDropped() throws IOException {
            for (Completed kept : job.kept()) {
                if (!isWhole(kept) && !job.retained.containsValue(kept) && random.nextBoolean()) {
                    ModelJob.delete(kept.directory());
                }
            }
        }

        /** Another checkpoint may have the same number by now. */
        private boolean isDamaged() throws IOException {
            return damaged != null && Files.exists(damaged) && Arrays.equals(Files.readAllBytes(damaged), cut);
        }

        private void rewrite(byte[] bytes) throws IOException {
            FileTime written = Files.getLastModifiedTime(damaged);
            Files.write(damaged, bytes);
            Files.setLastModifiedTime(damaged, written);
        }

        private void clockGoesBackMaybe() {
            if (clockGoesBack && random.nextBoolean()) {
                clock.move(-random.nextInt(BACK_MS_MAX));
            }
        }

        private int parallelism() {
            return 1 + random.nextInt(SUBTASKS_MAX);
        }

        private void trigger() throws IOException {
            if (job.pending.size() < OVERLAPPING_MAX) {
                job.trigger();
            }
        }

        private Long anyPending() {
            List<Long> ids = List.copyOf(job.pending.keySet());
            return ids.isEmpty() ? null : ids.get(random.nextInt(ids.size()));
        }

        private void advance() throws IOException {
            Long id = anyPending();
            for (int i = random.nextInt(12); id != null && i >= 0 && job.pending.containsKey(id); i--) {
                job.advance(id);
                completed += job.lastCompleted == id ? 1 : 0;
            }
        }

        private void abort() throws IOException {
            Long id = anyPending();
            if (id != null) {
                job.abort(id);
            }
        }

        /** The job manager dies as well and finds what was retained; its counter may be lost. */
        private void goOn() {
            if (!job.retained.isEmpty()) {
                clockGoesBackMaybe();
                Completed last = job.retained.lastEntry().getValue();
                if (random.nextBoolean()) {
                    job.countFrom(last.id());
                }
                job.restore(last, List.copyOf(job.retained.values()), RecoveryClaimMode.CLAIM, parallelism());
            }
        }

        private static boolean isWhole(Completed kept) {
            return kept.listed().stream().allMatch(file -> Files.exists(Path.of(file)));
        }

        /** One that Flink has not deleted files of. */
        private Completed anyWhole() {
            List<Completed> whole = job.kept().stream().filter(History::isWhole).toList();
            return whole.isEmpty() ? null : whole.get(random.nextInt(whole.size()));
        }

        private void goBack() throws IOException {
            Completed from = anyWhole();
            if (from != null) {
                wentBack++;
                for (Completed younger : job.kept()) {
                    if (younger.id() > from.id() && random.nextInt(3) != 0) {
                        ModelJob.delete(younger.directory());
                    }
                }
                restore(job, from);
            }
        }

        private void restore(ModelJob into, Completed from) {
            clockGoesBackMaybe();
            RecoveryClaimMode mode = random.nextBoolean() ? RecoveryClaimMode.CLAIM : RecoveryClaimMode.NO_CLAIM;
            into.restore(from, mode == RecoveryClaimMode.CLAIM ? List.of(from) : List.of(), mode, parallelism());
            into.countFrom(from.id());
        }

        private void move() throws IOException {
            Completed from = anyWhole();
            if (from != null) {
                moved++;
                // The directory of all jobs may be what changes, and this one keeps its id.
                job = random.nextBoolean()
                        ? new ModelJob(parent, random, clock)
                        : new ModelJob(
                                Files.createTempDirectory(base, "other"),
                                job.directory.getFileName().toString(),
                                random,
                                clock);
                job.dropsLater = true;
                jobs.add(job);
                restore(job, from);
            }
        }

        /** Whatever a checkpoint lists that is kept anywhere, or may list that is under way. */
        private Set<String> needed() {
            Set<String> needed = new HashSet<>(job.wanted());
            jobs.forEach(each -> each.kept().forEach(kept -> needed.addAll(kept.listed())));
            return needed;
        }

        private void audit(ModelJob of) throws IOException {
            if (!clockGoesBack) {
                deletedByAudit += delete(of, Long.MAX_VALUE);
            }
        }

        private void clean() throws IOException {
            if (job.lastCompleted >= 0) {
                deletedByJanitor += delete(job, job.lastCompleted);
            }
        }

        private int delete(ModelJob of, long provingMax) throws IOException {
            long before = random.nextInt(3) == 0 ? clock.now() - random.nextInt(AGE_MS_MAX) : Long.MAX_VALUE;
            return delete(of, provingMax, before);
        }

        private int delete(ModelJob of, long provingMax, long before) throws IOException {
            boolean doubtful = isDamaged() && damaged.startsWith(of.directory);
            BusyStorage storage = new BusyStorage(this);
            JobDirectory found =
                    JobDirectory.read(storage, of.directory.toString(), 1 << 20, storage, new CountDownLatch(1));
            countWaits(storage.waits, found);
            Retention retention = new Retention(found, provingMax, before);
            int deleted = 0;
            for (StoredFile file : found.files()) {
                if (retention.need(file) == Need.GARBAGE) {
                    String path = of.directory + "/" + file.path();
                    assertThat(needed()).doesNotContain(path);
                    assertThat(file.modifiedMs()).isLessThan(before);
                    checkNotInRetained(found, file);
                    // What was damaged all the time may list anything.
                    assertThat(doubtful && isDamaged()).isFalse();
                    if (file.directory() && !isEmpty(Path.of(path))) {
                        // A checkpoint of the same number has begun meanwhile.
                        continue;
                    }
                    storage.delete(path);
                    deleted++;
                }
            }
            return deleted;
        }

        private void countWaits(int waits, JobDirectory found) {
            waitedInVain += found.doubts().isEmpty() ? 0 : Math.min(waits, 1);
            waitedWell += found.doubts().isEmpty() ? Math.min(waits, 1) : 0;
        }

        private static boolean isEmpty(Path directory) throws IOException {
            try (Stream<Path> inside = Files.list(directory)) {
                return inside.findAny().isEmpty();
            }
        }

        /** Whoever deletes a checkpoint deletes what is in its directory. */
        private void checkNotInRetained(JobDirectory found, StoredFile file) {
            List<String> retained =
                    found.retained().stream().map(each -> "chk-" + each.id()).toList();
            assertThat(retained).doesNotContain(file.place());
        }

        private void end() throws IOException {
            over = true;
            heal();
            job.finishDrops();
            job.dropsLater = false;
            for (Long id : List.copyOf(job.pending.keySet())) {
                job.abort(id);
            }
            for (Completed kept : job.kept()) {
                if (!job.retained.containsValue(kept)) {
                    ModelJob.delete(kept.directory());
                }
            }
            // After what it was restored from too, which may be another job's.
            long last = job.retained.isEmpty() ? 0 : job.retained.lastKey();
            job.countFrom(Math.max(job.highestId, last));
            clock.move(BACK_MS_MAX * STEPS);
            job.trigger();
            long id = job.pending.firstKey();
            while (job.pending.containsKey(id)) {
                job.advance(id);
            }
            assertThat(job.lastCompleted).isEqualTo(id);
            delete(job, Long.MAX_VALUE, Long.MAX_VALUE);
            Set<String> listed = job.kept().stream()
                    .flatMap(kept -> kept.listed().stream())
                    .filter(file -> file.startsWith(job.directory.toString()))
                    .collect(Collectors.toSet());
            assertThat(job.namedFiles()).isEqualTo(listed);
            try (Stream<Path> places = Files.list(job.directory)) {
                assertThat(places.filter(place -> place.getFileName().toString().startsWith("chk-")))
                        .containsExactlyInAnyOrderElementsOf(job.retained.values().stream()
                                .map(Completed::directory)
                                .filter(place -> place.startsWith(job.directory))
                                .toList());
            }
        }
    }
}
