package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.transformations.StreamExchangeMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results of batch jobs whose exchanges are with a worker: exact, whatever the way of the records is. */
@Timeout(120)
final class ExchangeIT {
    private static final int COUNT = 20_000;
    private static final int ODD_COUNT = 1_000;

    @TempDir
    private static Path directory;

    private static TestWorkers workers;
    private static TestCluster cluster;

    @BeforeAll
    static void open() throws Exception {
        workers = new TestWorkers(directory);
        cluster = new TestCluster(workers.registry(), 2, Map.of("drey.shuffle.fallback", "fail"));
    }

    @AfterAll
    static void close() throws Exception {
        cluster.close();
        workers.close();
    }

    private static JobExecutionResult run(int parallelism, Consumer<StreamExecutionEnvironment> job) throws Exception {
        JobExecutionResult result = cluster.run(TestCluster.batch(parallelism, job));
        workers.expectNothingLeft();
        return result;
    }

    private static void expect(JobExecutionResult result, String name, int count, boolean isOdd, int copies) {
        assertThat(Totals.count(result, name)).isEqualTo((long) count * copies);
        assertThat(Totals.sum(result, name)).isEqualTo(Jobs.sum(count, isOdd, copies));
    }

    @Test
    void fromAllToAll() throws Exception {
        expect(run(4, Jobs.words(COUNT)), Jobs.WORDS, COUNT, false, 1);
    }

    @Test
    void fromOneToAllByBroadcast() throws Exception {
        JobExecutionResult result = run(
                4,
                environment -> Jobs.counted(
                        environment
                                .fromSequence(1, COUNT)
                                .map(new Jobs.Texts(false))
                                .broadcast()
                                .map(text -> text),
                        "all"));
        expect(result, "all", COUNT, false, 4);
    }

    @Test
    void pointwise() throws Exception {
        JobExecutionResult result = run(
                2,
                environment -> Jobs.counted(
                        environment
                                .fromSequence(1, COUNT)
                                .setParallelism(1)
                                .map(new Jobs.Texts(false))
                                .setParallelism(1)
                                .rescale()
                                .map(text -> text)
                                .rescale()
                                .map(text -> text)
                                .setParallelism(1),
                        "all"));
        expect(result, "all", COUNT, false, 1);
    }

    @Test
    void nothingAtAll() throws Exception {
        JobExecutionResult result = run(
                3,
                environment -> Jobs.counted(
                        environment
                                .fromSequence(1, 100)
                                .map(new Jobs.Texts(false))
                                .flatMap(new Jobs.Nothing())
                                .rebalance()
                                .map(text -> text)
                                .keyBy(text -> text)
                                .map(text -> text),
                        "none"));
        assertThat(result.getAllAccumulatorResults()).containsEntry("none.count", 0L);
    }

    @Test
    void severalConsumers() throws Exception {
        JobExecutionResult result = run(3, environment -> {
            DataStream<String> texts = environment
                    .fromSequence(1, COUNT)
                    .map(new Jobs.Texts(false))
                    .rebalance();
            Jobs.counted(texts.map(text -> text), "one");
            Jobs.counted(texts.map(text -> text).keyBy(text -> text).map(text -> text), "two");
            Jobs.counted(texts.broadcast().map(text -> text), "three");
        });
        expect(result, "one", COUNT, false, 1);
        expect(result, "two", COUNT, false, 1);
        expect(result, "three", COUNT, false, 3);
    }

    @Test
    void recordsLargerThanAllMemoryOfAWriter() throws Exception {
        JobExecutionResult result = run(
                2,
                environment -> Jobs.counted(
                        environment
                                .fromSequence(1, ODD_COUNT)
                                .map(new Jobs.Texts(true))
                                .rebalance()
                                .map(text -> text)
                                .broadcast()
                                .map(text -> text),
                        "odd"));
        expect(result, "odd", ODD_COUNT, true, 2);
    }

    @Test
    void theOrderOfAProducerIsKept() throws Exception {
        JobExecutionResult result = run(
                1,
                environment -> Jobs.counted(
                        environment
                                .fromSequence(1, ODD_COUNT)
                                .map(new Jobs.Texts(true))
                                .rebalance()
                                .map(new Jobs.Ascending())
                                .setParallelism(2),
                        "ordered"));
        expect(result, "ordered", ODD_COUNT, true, 1);
    }

    /**
     * A way around by pipelined exchanges puts the blocking one into one region: its consumers are deployed with its
     * producers, and told later where the partitions are.
     */
    @Test
    void consumersDeployedBeforeTheirProducersHaveFinished() throws Exception {
        Map<String, String> more = Map.of("drey.shuffle.fallback", "fail", "jobmanager.scheduler", "Default");
        try (TestCluster other = new TestCluster(workers.registry(), 2, more)) {
            StreamGraph around = TestCluster.batch(2, environment -> {
                DataStream<String> texts = environment
                        .fromSequence(1, COUNT)
                        .map(new Jobs.Texts(false))
                        .disableChaining();
                DataStream<String> stored =
                        Jobs.by(StreamExchangeMode.BATCH, texts).map(text -> text);
                Jobs.counted(
                        Jobs.by(StreamExchangeMode.PIPELINED, texts)
                                .union(Jobs.by(StreamExchangeMode.PIPELINED, stored))
                                .map(text -> text),
                        "both");
            });
            expect(other.run(around), "both", COUNT, false, 2);
            workers.expectNothingLeft();
        }
    }

    /** Consumers are as many as the bytes are worth; each reads a range of subpartitions. */
    @Test
    void byRangesOfSubpartitions() throws Exception {
        Map<String, String> more = Map.of(
                "drey.shuffle.fallback", "fail",
                "execution.batch.adaptive.auto-parallelism.max-parallelism", "16",
                "execution.batch.adaptive.auto-parallelism.avg-data-volume-per-task", "100 kb");
        try (TestCluster other = new TestCluster(workers.registry(), 2, more)) {
            StreamGraph adaptive = TestCluster.graph(RuntimeExecutionMode.BATCH, 4, true, Jobs.words(COUNT));
            expect(other.run(adaptive), Jobs.WORDS, COUNT, false, 1);
        }
    }

    /** With 4 buffers a writer sorts its records, with 64 it does not. */
    @ParameterizedTest
    @CsvSource({"true, LZ4, 64", "false, LZ4, 64", "true, LZ4, 4", "false, LZ4, 4", "true, ZSTD, 64"})
    void howeverItIsWritten(boolean compresses, String codec, int buffers) throws Exception {
        Map<String, String> more = Map.of(
                "drey.shuffle.fallback",
                "fail",
                "taskmanager.network.compression.codec",
                codec,
                "taskmanager.network.batch-shuffle.compression.enabled",
                String.valueOf(compresses),
                "taskmanager.network.sort-shuffle.min-buffers",
                String.valueOf(buffers));
        try (TestCluster other = new TestCluster(workers.registry(), 1, more)) {
            expect(other.run(TestCluster.batch(4, Jobs.words(COUNT))), Jobs.WORDS, COUNT, false, 1);
            JobExecutionResult odd = other.run(TestCluster.batch(3, environment -> {
                environment.getConfig().enableObjectReuse();
                Jobs.counted(
                        environment
                                .fromSequence(1, ODD_COUNT)
                                .map(new Jobs.Texts(true))
                                .keyBy(text -> text.length())
                                .map(text -> text),
                        "odd");
            }));
            expect(odd, "odd", ODD_COUNT, true, 1);
        }
    }
}
