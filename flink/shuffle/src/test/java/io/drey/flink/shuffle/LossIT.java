package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batch jobs whose worker or task manager goes while they run. */
@Timeout(90)
final class LossIT {
    private static final int COUNT = 20_000;
    private static final int COUNT_LARGE = 400_000;
    private static final int WRITTEN = 150_000;
    private static final int PARALLELISM = 2;

    /** How often each stage's tasks were started, by name; all tasks of a process share it. */
    private static final Map<String, AtomicInteger> STARTS = new ConcurrentHashMap<>();

    private static volatile CountDownLatch reached;
    private static volatile CountDownLatch goOn;

    /** The next task that has waited fails. */
    private static volatile boolean fails;

    private static final Map<String, String> RESTARTS = Map.of(
            "restart-strategy.type", "fixed-delay",
            "restart-strategy.fixed-delay.attempts", "20",
            "restart-strategy.fixed-delay.delay", "200 ms",
            "drey.shuffle.worker-wait", "3 s");

    @TempDir
    private Path directory;

    /** Counts its starts, and may wait at a record. */
    private static final class Stage extends RichMapFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final String name;
        private final int waitsAt;
        private int count;

        private Stage(String name, int waitsAt) {
            this.name = name;
            this.waitsAt = waitsAt;
        }

        @Override
        public void open(OpenContext context) {
            STARTS.computeIfAbsent(name, any -> new AtomicInteger()).incrementAndGet();
        }

        @Override
        public String map(String value) throws InterruptedException {
            if (++count == waitsAt) {
                reached.countDown();
                goOn.await();
                if (fails) {
                    fails = false;
                    throw new IllegalStateException("on purpose");
                }
            }
            return value;
        }
    }

    @BeforeEach
    void reset() {
        STARTS.clear();
        reached = new CountDownLatch(PARALLELISM);
        goOn = new CountDownLatch(1);
        fails = false;
    }

    /** Three stages; the middle one waits after some records. */
    private static void stages(StreamExecutionEnvironment environment) {
        Jobs.counted(
                environment
                        .fromSequence(1, COUNT)
                        .map(new Jobs.Texts(false))
                        .map(new Stage("first", -1))
                        .rebalance()
                        .map(new Stage("second", 100))
                        .keyBy(text -> text)
                        .map(new Stage("third", -1)),
                Jobs.WORDS);
    }

    /** The first stage waits after more records than a region has. */
    private static void large(StreamExecutionEnvironment environment) {
        Jobs.counted(
                environment
                        .fromSequence(1, COUNT_LARGE)
                        .map(new Jobs.Texts(false))
                        .map(new Stage("first", WRITTEN))
                        .keyBy(text -> text)
                        .map(new Stage("second", -1)),
                Jobs.WORDS);
    }

    private static void expectExact(JobExecutionResult result) {
        assertThat(Totals.count(result, Jobs.WORDS)).isEqualTo(COUNT);
        assertThat(Totals.sum(result, Jobs.WORDS)).isEqualTo(Jobs.sum(COUNT, false, 1));
    }

    private static int starts(String stage) {
        return STARTS.get(stage).get();
    }

    @Test
    void aWorkerThatRestartsFailsNoTask() throws Exception {
        try (TestWorkers workers = new TestWorkers(directory);
                TestCluster cluster = new TestCluster(workers.registry(), 2, Map.of())) {
            JobID job = cluster.submit(TestCluster.batch(PARALLELISM, LossIT::stages));
            reached.await();
            workers.stop();
            goOn.countDown();
            Thread.sleep(500);
            workers.restart();
            expectExact(cluster.await(job));
            assertThat(starts("first")).isEqualTo(PARALLELISM);
            assertThat(starts("second")).isEqualTo(PARALLELISM);
            assertThat(starts("third")).isEqualTo(PARALLELISM);
            workers.expectNothingLeft();
        }
    }

    @Test
    void aWorkerThatLostItsDataMakesOnlyItsPartitionsRunAgain() throws Exception {
        try (TestWorkers workers = new TestWorkers(directory);
                TestCluster cluster = new TestCluster(workers.registry(), 2, RESTARTS)) {
            JobID job = cluster.submit(TestCluster.batch(PARALLELISM, LossIT::stages));
            reached.await();
            workers.stop();
            workers.empty();
            workers.restart();
            goOn.countDown();
            expectExact(cluster.await(job));
            assertThat(starts("first")).isGreaterThan(PARALLELISM);
            assertThat(starts("third")).isEqualTo(PARALLELISM);
        }
    }

    @Test
    void aTaskManagerThatGoesTakesNoFinishedTaskAlong() throws Exception {
        try (TestWorkers workers = new TestWorkers(directory);
                TestCluster cluster = new TestCluster(workers.registry(), 2, RESTARTS)) {
            JobID job = cluster.submit(TestCluster.batch(PARALLELISM, LossIT::stages));
            reached.await();
            goOn.countDown();
            cluster.flink().terminateTaskManager(0).get();
            cluster.flink().terminateTaskManager(1).get();
            cluster.flink().startTaskManager();
            expectExact(cluster.await(job));
            assertThat(starts("first")).isEqualTo(PARALLELISM);
        }
    }

    /** Flink forgets attempts that fail or are cancelled, and releases nothing of them. */
    @Test
    void anAttemptThatFailedLeavesNothing() throws Exception {
        try (TestWorkers workers = new TestWorkers(directory);
                TestCluster cluster = new TestCluster(workers.registry(), 1, RESTARTS)) {
            JobID job = cluster.submit(TestCluster.batch(PARALLELISM, LossIT::large));
            reached.await();
            assertThat(workers.parts()).isNotEmpty();
            fails = true;
            goOn.countDown();
            JobExecutionResult result = cluster.await(job);
            assertThat(Totals.count(result, Jobs.WORDS)).isEqualTo(COUNT_LARGE);
            assertThat(starts("first")).isGreaterThan(PARALLELISM);
            workers.expectNothingLeft();
        }
    }

    @Test
    void aJobThatIsCancelledLeavesNothing() throws Exception {
        try (TestWorkers workers = new TestWorkers(directory);
                TestCluster cluster = new TestCluster(workers.registry(), 1, Map.of())) {
            JobID job = cluster.submit(TestCluster.batch(PARALLELISM, LossIT::large));
            reached.await();
            assertThat(workers.parts()).isNotEmpty();
            cluster.flink().cancelJob(job).get();
            assertThat(cluster.flink().requestJobResult(job).get().isSuccess()).isFalse();
            workers.expectNothingLeft();
        }
    }

    @Test
    void aStreamingJobRunsBeside() throws Exception {
        try (TestWorkers workers = new TestWorkers(directory);
                TestCluster cluster =
                        new TestCluster(workers.registry(), 2, Map.of("execution.checkpointing.interval", "200 ms"))) {
            JobID streaming =
                    cluster.submit(TestCluster.graph(RuntimeExecutionMode.STREAMING, PARALLELISM, LossIT::stages));
            reached.await();
            goOn.countDown();
            expectExact(cluster.run(TestCluster.batch(PARALLELISM, Jobs.words(COUNT))));
            expectExact(cluster.await(streaming));
        }
    }

    @Test
    void aJobThatIsCancelledWhileItWaitsForWorkersEnds() throws Exception {
        try (TestWorkers workers = new TestWorkers(directory);
                TestCluster cluster = new TestCluster(workers.registry(), 1, Map.of())) {
            JobID job = cluster.submit(TestCluster.batch(PARALLELISM, LossIT::stages));
            reached.await();
            workers.stop();
            goOn.countDown();
            Thread.sleep(200);
            cluster.flink().cancelJob(job).get();
            JobResult result = cluster.flink().requestJobResult(job).get();
            assertThat(result.isSuccess()).isFalse();
            workers.restart();
        }
    }
}
