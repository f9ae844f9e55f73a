package io.drey.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.storage.SlowStorageFactory;
import io.drey.cli.doctor.TreatedJob.Illness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Findings about running jobs of an embedded Flink: each with its real cause, and none of them without. A visit waits
 * most of its 20 seconds, so there are several at a time, but one that looks at how busy tasks are.
 */
@Execution(ExecutionMode.CONCURRENT)
class JobDoctorIT {
    private static final long FAST = 1_000_000;
    private static final String CORES = "cores";

    @TempDir
    private Path directory;

    private List<String> rulesOf(Illness illness, long after) throws Exception {
        try (TreatedJob job = new TreatedJob(directory, illness).after(after)) {
            return job.rules();
        }
    }

    private static Configuration option(String key, String value) {
        Configuration configuration = new Configuration();
        configuration.setString(key, value);
        return configuration;
    }

    @Test
    @ResourceLock(CORES)
    void aHealthyJobHasItsSourceForLimitAndNothingElse() throws Exception {
        assertThat(rulesOf(new Illness(), 8_000)).containsExactly("source");
    }

    @Test
    @ResourceLock(CORES)
    void aHotKeyIsSkew() throws Exception {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.workMicros = 200;
        illness.hotPercent = 95;
        assertThat(rulesOf(illness, 8_000)).contains("skew").doesNotContain("source", "busy", "sink");
    }

    @Test
    @ResourceLock(CORES)
    void evenWorkThatIsTooMuchIsABusyTask() throws Exception {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.workMicros = 200;
        assertThat(rulesOf(illness, 8_000)).contains("busy").doesNotContain("source", "skew", "sink");
    }

    @Test
    @ResourceLock(CORES)
    void aSlowEndIsTheSink() throws Exception {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.endMicros = 300;
        assertThat(rulesOf(illness, 8_000)).contains("sink").doesNotContain("source", "skew", "busy");
    }

    @Test
    @ResourceLock(CORES)
    void stateBeyondItsMemoryIsFound() throws Exception {
        Illness illness = new Illness();
        illness.perSecond = FAST;
        illness.keys = 200_000;
        illness.valueBytes = 1_000;
        illness.managedBytes = 16L << 20;
        assertThat(rulesOf(illness, 300_000)).contains("drey-memory");
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
        assertThat(rulesOf(illness, 100_000)).contains("checkpoint-storage");
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
        assertThat(rulesOf(illness, 12_000)).contains("checkpoint-sync", "restarts", "drey-directory");
    }

    @Test
    void checkpointsThatFailAreFound() throws Exception {
        Illness illness = new Illness();
        illness.configuration =
                option("execution.checkpointing.dir", BrokenFileSystem.uri(directory.resolve("broken")));
        illness.configuration.setString("execution.checkpointing.tolerable-failed-checkpoints", "1000");
        assertThat(rulesOf(illness, 8_000)).contains("checkpoint-failures");
    }

    @Test
    void missingCheckpointsAndMissingMetricsAreFoundTogether() throws Exception {
        Illness illness = new Illness();
        illness.interval = null;
        illness.configuration = option("state.backend.drey.metrics", "off");
        assertThat(rulesOf(illness, 4_000)).contains("no-checkpoints", "drey-metrics");
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
