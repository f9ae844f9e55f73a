package io.drey.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drey.bench.disk.RationedDisk;
import io.drey.bench.result.Comparison;
import io.drey.bench.storage.SlowStorageFactory;
import io.drey.cli.doctor.TreatedJob.Illness;
import io.drey.cli.doctor.finding.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Findings about running jobs of an embedded Flink: each with its real cause, and none of them without. A visit waits
 * most of its 20 seconds, as most of these jobs do, so there are many at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = JobDoctorIT.PROCESSORS, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class JobDoctorIT {
    static final String PROCESSORS = "processors";
    private static final long FAST = 1_000_000;
    private static final int VISITS_MAX = 4;
    private static final long DISK_BYTES = 1L << 30;
    private static final double LEFT = 0.08;
    private static final long READS_PER_SECOND = 300;

    @TempDir
    private Path directory;

    private void expect(Illness illness, long after, List<String> wanted, String... unwanted) throws Exception {
        try (TreatedJob job = new TreatedJob(directory, illness).after(after)) {
            expect(job, wanted, unwanted);
        }
    }

    /** In one of a few visits: meanwhile the jobs beside this one may leave it no processor. */
    private static void expect(TreatedJob job, List<String> wanted, String... unwanted) throws Exception {
        List<String> rules = rules(
                job, found -> found.containsAll(wanted) && Stream.of(unwanted).noneMatch(found::contains));
        assertThat(rules).containsAll(wanted);
        assertThat(unwanted).doesNotContainAnyElementsOf(rules);
    }

    /** Those of the first visit that passes, or of the last. */
    private static List<String> rules(TreatedJob job, Predicate<List<String>> passes) throws Exception {
        List<String> rules = job.rules();
        for (int visits = 1; visits < VISITS_MAX && !passes.test(rules); visits++) {
            rules = job.rules();
        }
        return rules;
    }

    private static Configuration option(String key, String value) {
        Configuration configuration = new Configuration();
        configuration.setString(key, value);
        return configuration;
    }

    /** Alone: where jobs beside it use all processors of its process, the doctor says so. */
    @Test
    @ResourceLock(PROCESSORS)
    void aHealthyJobHasItsSourceForLimitAndNothingElse() throws Exception {
        Illness none = new Illness();
        none.interval = Duration.ofSeconds(5);
        try (TreatedJob job = new TreatedJob(directory, none).after(8_000)) {
            assertThat(rules(job, List.of("source")::equals)).containsExactly("source");
        }
    }

    @Test
    void aHotKeyIsSkew() throws Exception {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.workMicros = 200;
        illness.hotPercent = 95;
        expect(illness, 8_000, List.of("skew"), "source", "busy", "sink");
    }

    @Test
    void evenWorkThatIsTooMuchIsABusyTask() throws Exception {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.workMicros = 200;
        expect(illness, 8_000, List.of("busy"), "source", "skew", "sink");
    }

    /** Without Drey's metrics, only the input by key tells that there is more than a sink. */
    @Test
    void aBusyTaskWithItsSinkChainedIsToBlameAndNotTheSink() throws Exception {
        Illness illness = new Illness();
        illness.isChained = true;
        illness.perSecond = FAST;
        illness.workMicros = 200;
        illness.configuration = option("state.backend.drey.metrics", "off");
        expect(illness, 8_000, List.of("busy"), "source", "skew", "sink");
    }

    /** Barriers stand in line behind the records that wait for it. */
    @Test
    void aSlowEndIsTheSinkAndCheckpointsWaitForTheirBarriers() throws Exception {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.endMicros = 300;
        expect(illness, 8_000, List.of("sink", "checkpoint-alignment"), "source", "skew", "busy");
    }

    private static Illness largeState() {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.keys = 60_000;
        illness.valueBytes = 1_000;
        illness.managedBytes = 8L << 20;
        return illness;
    }

    @Test
    void stateBeyondItsMemoryIsFoundWithAllThatFollows() throws Exception {
        Illness illness = largeState();
        // A number costs its state so much more than the source that this never waits for it.
        illness.valueBytes = 4_000;
        expect(illness, 150_000, List.of("drey-memory", "drey-stalls", "drey-compaction"), "source", "sink", "skew");
    }

    /** One disk is ill in several ways at once, as each visit takes a quarter of a minute. */
    @Test
    void aSlowAndNearlyFullDiskIsFoundWithAllThatFollows() throws Exception {
        assumeTrue(RationedDisk.whyNot().isEmpty(), RationedDisk.whyNot());
        Illness illness = largeState();
        Comparison.Disk ration = new Comparison.Disk(READS_PER_SECOND, 0, READS_PER_SECOND, 0);
        Path image = directory.resolve("state" + RationedDisk.IMAGE_ENDING);
        try (RationedDisk disk = RationedDisk.create(image, directory.resolve("mounted"), DISK_BYTES, ration)) {
            illness.configuration =
                    option("state.backend.drey.local-dir", disk.directory().toString());
            illness.configuration.setString("state.backend.drey.io.direct", "true");
            try (TreatedJob job = new TreatedJob(directory, illness).after(90_000)) {
                fill(disk.directory());
                disk.limit();
                try {
                    expect(job, List.of("drey-disk", "drey-disk-full"), "source", "busy", "sink");
                } finally {
                    disk.unlimit();
                }
            }
        }
    }

    /** With a file of its own that leaves little room. */
    private static void fill(Path directory) throws IOException, InterruptedException {
        long bytes = Files.getFileStore(directory).getUsableSpace() - (long) (LEFT * DISK_BYTES);
        int exit = new ProcessBuilder(
                        "fallocate",
                        "-l",
                        Long.toString(bytes),
                        directory.resolve("other").toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    @Test
    void aHeapThatHardlyHoldsItsStateIsFound() throws Exception {
        try (FullHeap job = new FullHeap(directory)) {
            assertThat(TreatedJob.visit(job.address()).findings())
                    .extracting(Finding::rule)
                    .contains("heap")
                    .doesNotContain("sink", "skew", "not-running");
        }
    }

    @Test
    void slowStorageOfCheckpointsIsFound() throws Exception {
        Illness illness = new Illness();
        illness.keys = 20_000;
        illness.valueBytes = 500;
        illness.perSecond = 20_000;
        illness.interval = Duration.ofMillis(1_500);
        illness.configuration =
                option("execution.checkpointing.dir", SlowStorageFactory.uri(directory.resolve("slow")));
        expect(illness, 100_000, List.of("checkpoint-storage"));
    }

    /** One job is ill in several ways at once, as each visit takes a quarter of a minute. */
    @Test
    void aLongSynchronousPartARestartAndALostDirectoryAreFoundTogether() throws Exception {
        Illness illness = new Illness();
        illness.snapshotMillis = 1_500;
        illness.failsOnce = true;
        Path file = Files.createFile(directory.resolve("file"));
        Path good = Files.createDirectories(directory.resolve("good"));
        illness.configuration = option("state.backend.drey.local-dir", good + "," + file);
        illness.configuration.setString("restart-strategy.type", "fixed-delay");
        illness.configuration.setString("restart-strategy.fixed-delay.delay", "100ms");
        expect(illness, 12_000, List.of("checkpoint-sync", "restarts", "drey-directory"));
    }

    @Test
    void aJobThatWaitsForItsRestartDoesNotRun() throws Exception {
        Illness illness = new Illness();
        illness.failsOnce = true;
        illness.configuration = option("restart-strategy.type", "fixed-delay");
        illness.configuration.setString("restart-strategy.fixed-delay.delay", "1h");
        try (TreatedJob job = new TreatedJob(directory, illness).in(JobStatus.RESTARTING)) {
            expect(job, List.of("not-running"), "source");
        }
    }

    /** Flink calls it running. */
    @Test
    void aJobWithoutSlotsForItsTasksDoesNotWaitForItsSource() throws Exception {
        Illness illness = new Illness();
        illness.lacksSlot = true;
        try (TreatedJob job = new TreatedJob(directory, illness).in(JobStatus.RUNNING)) {
            expect(job, List.of("tasks-not-running"), "source", "busy", "drey-metrics", "not-running");
        }
    }

    @Test
    void checkpointsThatFailAreFound() throws Exception {
        Illness illness = new Illness();
        illness.configuration =
                option("execution.checkpointing.dir", BrokenFileSystem.uri(directory.resolve("broken")));
        illness.configuration.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000");
        expect(illness, 8_000, List.of("checkpoint-failures"));
    }

    @Test
    void missingCheckpointsAndMissingMetricsAreFoundTogether() throws Exception {
        Illness illness = new Illness();
        illness.interval = null;
        illness.configuration = option("state.backend.drey.metrics", "off");
        expect(illness, 4_000, List.of("no-checkpoints", "drey-metrics"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rocksdb", "hashmap"})
    void aJobOnAnotherBackendIsToldHowToMove(String backend) throws Exception {
        Illness illness = new Illness();
        illness.backend = backend;
        illness.interval = Duration.ofMillis(500);
        try (TreatedJob job = new TreatedJob(directory, illness).after(6_000)) {
            assertThat(job.visit().lines()).anyMatch(line -> line.contains("[move]"));
        }
    }
}
