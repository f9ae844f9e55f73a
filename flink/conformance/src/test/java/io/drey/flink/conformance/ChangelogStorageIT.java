package io.drey.flink.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs with Flink's changelog in Drey's storage: they fail, and go on from retained checkpoints
 * with another parallelism time and again. Each element finds the state that those before it left.
 */
public class ChangelogStorageIT {
    private static final int KEYS = 200;
    private static final int TASKS = 40;
    private static final int NUMBERS_MIN = 10_000;
    private static final int COMPLETED_MIN = 4;

    /** Between two materializations some runs of a job pass, or several are in one run. */
    private static final Duration SELDOM = Duration.ofSeconds(5);

    private static final Duration OFTEN = Duration.ofMillis(300);

    private static final List<String> WRONG = new CopyOnWriteArrayList<>();
    private static final AtomicInteger FAILURES = new AtomicInteger();

    /** The count at which the next failure is due. */
    private static final AtomicLong FAILING = new AtomicLong();

    private static final AtomicLong COUNTED = new AtomicLong();
    private static final AtomicInteger COMPLETED = new AtomicInteger();

    @TempDir
    Path directory;

    private static final class Slowly implements MapFunction<Long, Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long map(Long number) throws InterruptedException {
            if (number % 10 == 0) {
                Thread.sleep(1);
            }
            return number;
        }
    }

    /** Counts its key's numbers, which come in order: how many there must be follows from the number. */
    private static final class Counting extends KeyedProcessFunction<Long, Long, Long> implements CheckpointListener {
        private static final long serialVersionUID = 1;

        private transient ValueState<Long> count;
        private transient ListState<Long> lately;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
            lately = getRuntimeContext().getListState(new ListStateDescriptor<>("lately", Types.LONG));
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            long before = count.value() == null ? 0 : count.value();
            long listed = 0;
            for (Long earlier : lately.get()) {
                listed += earlier % KEYS == number % KEYS ? 1 : 0;
            }
            if (before != number / KEYS || listed != before % KEYS) {
                WRONG.add("before " + number + " there were " + before + " and in the list " + listed);
            }
            count.update(before + 1);
            if ((before + 1) % KEYS == 0) {
                lately.clear();
            } else {
                lately.add(number);
            }
            long failing = FAILING.get();
            if (COUNTED.incrementAndGet() >= failing
                    && COMPLETED.get() > 0
                    && FAILING.compareAndSet(failing, Long.MAX_VALUE)) {
                FAILURES.incrementAndGet();
                throw new IOException("on purpose");
            }
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            COMPLETED.incrementAndGet();
        }
    }

    private Configuration configuration(String backend, Duration materialization) {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
        configuration.set(StateBackendOptions.STATE_BACKEND, backend);
        configuration.set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, true);
        configuration.set(StateChangelogOptions.STATE_CHANGE_LOG_STORAGE, "drey");
        configuration.set(StateChangelogOptions.PERIODIC_MATERIALIZATION_INTERVAL, materialization);
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return configuration;
    }

    private static JobGraph job(Configuration configuration, int parallelism, Path restored) {
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration);
        env.setParallelism(parallelism);
        env.setMaxParallelism(64);
        env.fromSequence(0, Long.MAX_VALUE - 1)
                .setParallelism(1)
                .map(new Slowly())
                .setParallelism(1)
                .uid("slowly")
                .keyBy(number -> number % KEYS, Types.LONG)
                .process(new Counting())
                .uid("counting")
                .sinkTo(new DiscardingSink<>())
                .setParallelism(1);
        JobGraph graph = env.getStreamGraph().getJobGraph();
        if (restored != null) {
            graph.setSavepointRestoreSettings(
                    SavepointRestoreSettings.forPath(restored.toString(), false, RecoveryClaimMode.CLAIM));
        }
        return graph;
    }

    @Test
    void stateIsExactThroughFailuresAndChangesOfParallelism() throws Exception {
        run(configuration("hashmap", SELDOM), List.of(1, 3, 2, 4, 1));
        // Jobs list logs of those before them, where an audit would miss who does.
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("drey-claim-")))
                    .isNotEmpty();
        }
    }

    /** Flink has what both storages wrote read by the one whose log came first. */
    @Test
    void stateIsExactIfAJobGoesBackToFlinksStorage() throws Exception {
        Configuration configuration = configuration("hashmap", SELDOM);
        Path restored = run(configuration, List.of(2), null);
        configuration.set(StateChangelogOptions.STATE_CHANGE_LOG_STORAGE, "filesystem");
        configuration.setString(
                "state.changelog.dstl.dfs.base-path",
                directory.resolve("logs").toUri().toString());
        run(configuration, List.of(2, 2), restored);
    }

    /** The backend under test, under this name. */
    @Test
    void stateIsExactIfOnlySomeSubtasksHaveMaterializedBeforeAChangeOfParallelism() throws Exception {
        run(configuration("rocksdb", OFTEN), List.of(2, 3, 2, 4, 1));
    }

    private void run(Configuration configuration, List<Integer> parallelisms) throws Exception {
        run(configuration, parallelisms, null);
    }

    /** The last checkpoint of jobs that go on, each with that of the one before. */
    private Path run(Configuration configuration, List<Integer> parallelisms, Path from) throws Exception {
        FAILURES.set(0);
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(2)
                .setNumSlotsPerTaskManager(2)
                .setConfiguration(configuration)
                .build());
        try {
            cluster.start();
            Path restored = from;
            for (int parallelism : parallelisms) {
                FAILING.set(COUNTED.get() + NUMBERS_MIN / 2);
                JobGraph graph = job(configuration, parallelism, restored);
                run(cluster, graph);
                restored = latest(directory.resolve("checkpoints"), graph.getJobID());
            }
            assertThat(WRONG).isEmpty();
            assertThat(FAILURES).hasValue(parallelisms.size());
            return restored;
        } finally {
            cluster.close();
        }
    }

    /** Files and bytes of a log, of which nothing is deleted. */
    private record Log(long files, long bytes, long changes, int checkpoints) {}

    private Log fortyTasks(String storage) throws Exception {
        Path logs = directory.resolve(storage);
        Configuration configuration = configuration("hashmap", Duration.ofHours(1));
        configuration.set(StateChangelogOptions.STATE_CHANGE_LOG_STORAGE, storage);
        configuration.setString(
                "state.changelog.dstl.dfs.base-path", logs.toUri().toString());
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY, logs.toUri().toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(300));
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(TASKS)
                .setConfiguration(configuration)
                .build());
        try {
            cluster.start();
            FAILING.set(Long.MAX_VALUE);
            long counted = COUNTED.get();
            JobGraph graph = job(configuration, TASKS, null);
            run(cluster, graph);
            int checkpoints = number(latest(logs, graph.getJobID()));
            List<Long> files = sizes(logs);
            return new Log(
                    files.size(),
                    files.stream().mapToLong(Long::longValue).sum(),
                    COUNTED.get() - counted,
                    checkpoints);
        } finally {
            cluster.close();
        }
    }

    /** Of the files of logs. */
    private static List<Long> sizes(Path logs) throws Exception {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30); ; Thread.sleep(10)) {
            try (Stream<Path> files = Files.walk(logs)) {
                List<Long> sizes = new ArrayList<>();
                for (Path file : files.filter(Files::isRegularFile)
                        .filter(file -> List.of("shared", "dstl")
                                .contains(file.getParent().getFileName().toString()))
                        .toList()) {
                    sizes.add(Files.size(file));
                }
                return sizes;
            } catch (UncheckedIOException | NoSuchFileException e) {
                // What the job has left unlisted is deleted just now.
                assertThat(System.nanoTime())
                        .as("files that go, the last: %s", e)
                        .isLessThan(end);
            }
        }
    }

    /** Each makes one or two files a checkpoint, and either run may have had one checkpoint more when it was ended. */
    @Test
    void fortyTasksMakeFewFilesAndFewerBytesThanWithFlinksStorage() throws Exception {
        Log flinks = fortyTasks("filesystem");
        Log ours = fortyTasks("drey");
        assertThat(ours.files)
                .as("%s; Flink's: %s", ours, flinks)
                .isLessThanOrEqualTo(2L * ours.checkpoints)
                .isLessThanOrEqualTo(flinks.files + 2);
        assertThat(2 * ours.bytes * flinks.changes)
                .as("%s; Flink's: %s", ours, flinks)
                .isLessThan(flinks.bytes * ours.changes);
        assertThat(WRONG).isEmpty();
    }

    /** Runs a job until it has counted some numbers and done some checkpoints. */
    private static void run(MiniCluster cluster, JobGraph graph) throws Exception {
        COMPLETED.set(0);
        long until = COUNTED.get() + NUMBERS_MIN;
        cluster.submitJob(graph).get(1, TimeUnit.MINUTES);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (COMPLETED.get() < COMPLETED_MIN || COUNTED.get() < until) {
            assertThat(cluster.getJobStatus(graph.getJobID()).get(1, TimeUnit.MINUTES))
                    .isNotEqualTo(JobStatus.FAILED);
            assertThat(System.nanoTime()).as("the job does not get on").isLessThan(end);
            Thread.sleep(20);
        }
        cluster.cancelJob(graph.getJobID()).get(1, TimeUnit.MINUTES);
        cluster.requestJobResult(graph.getJobID()).get(1, TimeUnit.MINUTES);
    }

    private static Path latest(Path directory, JobID job) throws IOException {
        try (Stream<Path> checkpoints = Files.list(directory.resolve(job.toHexString()))) {
            return checkpoints
                    .filter(path -> path.getFileName().toString().startsWith("chk-"))
                    .filter(path -> Files.exists(path.resolve("_metadata")))
                    .max(Comparator.comparingInt(ChangelogStorageIT::number))
                    .orElseThrow();
        }
    }

    private static int number(Path checkpoint) {
        return Integer.parseInt(checkpoint.getFileName().toString().substring("chk-".length()));
    }
}
