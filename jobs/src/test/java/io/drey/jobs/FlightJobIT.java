package io.drey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.data.DataLocation;
import io.drey.jobs.feed.FailAfter;
import io.drey.jobs.oracle.Expectation;
import io.drey.jobs.oracle.Oracle;
import io.drey.jobs.tally.ResultTally;
import io.drey.jobs.tally.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every job on every backend, with a failure in the middle, against the oracle. */
class FlightJobIT {
    /** Names for {@code state.backend.type}. */
    private static final List<String> BACKENDS = List.of("hashmap", "rocksdb");

    private static final int FLIGHTS = 10_000;
    private static final int REPEAT = 3;

    @TempDir
    private Path directory;

    static Stream<Arguments> matrix() {
        return Stream.of(FlightJob.values())
                .flatMap(job -> BACKENDS.stream().map(backend -> Arguments.of(job, backend)));
    }

    @ParameterizedTest
    @MethodSource("matrix")
    void aJobThatFailsInTheMiddleHasTheExactResult(FlightJob job, String backend) throws Exception {
        DataLocation input = SmallInput.create(directory, FLIGHTS);
        FailAfter failAfter = new FailAfter(job + backend, REPEAT * FLIGHTS * 2L / 3);
        Path output = directory.resolve("rows");

        Tally tally = run(job, backend, 2, new JobSettings(input, REPEAT, failAfter, output.toString()));

        assertThat(failAfter.fired()).isTrue();
        assertEqual(tally, Oracle.expect(job.jobName(), directory, REPEAT));
        List<String> expected = new ArrayList<>();
        Oracle.lines(job.jobName(), directory, REPEAT, expected::add);
        Collections.sort(expected);
        assertThat(linesIn(output)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void theWholeDataSetHasTheExactResultWithAnotherParallelism(FlightJob job) throws Exception {
        Tally tally = run(job, "hashmap", 3, new JobSettings(DataLocation.builtIn(), 1, null, null));

        assertEqual(tally, Oracle.expect(job.jobName(), null, 1));
    }

    static Stream<FlightJob> jobs() {
        return Stream.of(FlightJob.values());
    }

    @Test
    void aReplicaHasAsManyRowsAsTheFirst() throws Exception {
        SmallInput.create(directory, FLIGHTS);
        for (FlightJob job : FlightJob.values()) {
            Expectation one = Oracle.expect(job.jobName(), directory, 1);
            Expectation three = Oracle.expect(job.jobName(), directory, 3);
            assertThat(three.count()).isEqualTo(one.count() * 3);
            assertThat(three.checksum()).isNotEqualTo(one.checksum() * 3);
        }
    }

    private Tally run(FlightJob job, String backend, int parallelism, JobSettings settings) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, backend);
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        job.build(env, settings);
        JobExecutionResult result = env.execute();
        return ResultTally.of(result.getAllAccumulatorResults());
    }

    private static void assertEqual(Tally tally, Expectation expected) {
        assertThat(tally.first()).isEqualTo(expected.first());
        assertThat(tally.count).isEqualTo(expected.count());
        assertThat(tally.checksum).isEqualTo(expected.checksum());
        assertThat(tally.count).isPositive();
    }

    private static List<String> linesIn(Path output) throws IOException {
        try (Stream<Path> files = Files.walk(output)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .flatMap(FlightJobIT::lines)
                    .sorted()
                    .toList();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
