package io.drey.flink.state;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checkpoints that overlap, time out, fail while they begin and while they upload, and a job that fails and goes on from
 * the last one: each element finds the state that those before it left, and in the end nothing is left in the storage but
 * of checkpoints that were acknowledged when the job manager did not listen any more.
 */
public class AbortedCheckpointsIT {
    private static final int KEYS = 500;
    private static final int NUMBERS = 40_000;

    /** By chance; and half way if the job was not restored by then, so that it is for certain. */
    private static final int FAILURES_MAX = 5;

    private static final int COMPLETED_MIN = 20;
    private static final int SLOW_MS = 50;
    private static final int TIMEOUT_MS = 400;

    /** Some snapshots take longer than a checkpoint may, so that some checkpoints are aborted for certain. */
    private static final int SNAPSHOTS_PER_TIMEOUT = 10;

    private static final int TIMEOUTS_MAX = 3;
    private static final int LEFT_LOOKS_MAX = 300;
    private static final String MANIFEST_BEGIN = "DREYM";

    /** In the path of a file: the checkpoint it was written for. */
    private static final Pattern CHECKPOINT = Pattern.compile("/(?:shared/drey|chk)-(\\d+)");

    private static final List<String> WRONG = new CopyOnWriteArrayList<>();
    private static final AtomicInteger FAILURES = new AtomicInteger();
    private static final AtomicInteger SNAPSHOTS = new AtomicInteger();
    private static final AtomicInteger COMPLETED = new AtomicInteger();
    private static final AtomicInteger ABORTED = new AtomicInteger();
    private static final AtomicInteger RESTORED = new AtomicInteger();
    private static final AtomicLong LAST_COMPLETED = new AtomicLong();

    @TempDir
    Path directory;

    /** Slows the source down, so that barriers do not wait behind numbers; more near the end on a slow machine. */
    private static final class Slowly implements MapFunction<Long, Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long map(Long number) throws InterruptedException {
            if (number % 10 == 0) {
                boolean isSlow = number > NUMBERS * 9 / 10 && COMPLETED.get() <= COMPLETED_MIN;
                Thread.sleep(isSlow ? SLOW_MS : 1);
            }
            return number;
        }
    }

    /** Counts its key's numbers, which come in order: how many there must be follows from the number. */
    private static final class Counting extends KeyedProcessFunction<Long, Long, Long>
            implements CheckpointedFunction, CheckpointListener {
        private static final long serialVersionUID = 1;

        private transient ValueState<Long> count;
        private transient ListState<Long> numbers;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
            numbers = getRuntimeContext().getListState(new ListStateDescriptor<>("numbers", Types.LONG));
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            long before = count.value() == null ? 0 : count.value();
            long listed = 0;
            for (Long earlier : numbers.get()) {
                listed += earlier % KEYS == number % KEYS ? 1 : 0;
            }
            if (before != number / KEYS || listed != before) {
                WRONG.add("before " + number + " there were " + before + " and in the list " + listed);
            }
            count.update(before + 1);
            numbers.add(number);
            boolean failing = ThreadLocalRandom.current().nextInt(NUMBERS / FAILURES_MAX) == 0
                    || (number == NUMBERS / 2 && RESTORED.get() == 0);
            if (failing && FAILURES.incrementAndGet() <= FAILURES_MAX) {
                throw new IOException("on purpose");
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws IOException, InterruptedException {
            int snapshot = SNAPSHOTS.incrementAndGet();
            if (snapshot % SNAPSHOTS_PER_TIMEOUT == 0 && snapshot <= TIMEOUTS_MAX * SNAPSHOTS_PER_TIMEOUT) {
                Thread.sleep(TIMEOUT_MS + TIMEOUT_MS / 2);
            }
            if (ThreadLocalRandom.current().nextInt(40) == 0) {
                throw new IOException("no checkpoint now, on purpose");
            }
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {
            if (context.isRestored()) {
                RESTORED.incrementAndGet();
            }
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            COMPLETED.incrementAndGet();
            LAST_COMPLETED.accumulateAndGet(checkpointId, Math::max);
        }

        @Override
        public void notifyCheckpointAborted(long checkpointId) {
            ABORTED.incrementAndGet();
        }
    }

    private Configuration configuration(long intervalMs) {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(StateBackendOptions.STATE_BACKEND, DreyStateBackendFactory.class.getName());
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                ShakyFileSystem.SCHEME + "://" + directory.resolve("checkpoints"));
        configuration.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(0));
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(intervalMs));
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofMillis(TIMEOUT_MS));
        configuration.set(CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS, 3);
        configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return configuration;
    }

    /** Checkpoints that overlap, and others that mostly do not; both come too fast to be prepared. */
    @ParameterizedTest
    @ValueSource(longs = {30, 120})
    void stateIsExactAndNothingIsLeft(long intervalMs) throws Exception {
        List.of(FAILURES, SNAPSHOTS, COMPLETED, ABORTED, RESTORED, ShakyFileSystem.FAILED)
                .forEach(count -> count.set(0));
        LAST_COMPLETED.set(0);
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .setConfiguration(configuration(intervalMs))
                .build());
        try {
            cluster.start();
            StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration(intervalMs));
            env.setParallelism(2);
            env.fromSequence(0, NUMBERS - 1)
                    .setParallelism(1)
                    .map(new Slowly())
                    .setParallelism(1)
                    .keyBy(number -> number % KEYS, Types.LONG)
                    .process(new Counting())
                    .sinkTo(new DiscardingSink<>());
            cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
            assertThat(WRONG).isEmpty();
            assertThat(COMPLETED).as("completed").hasValueGreaterThan(COMPLETED_MIN);
            assertThat(ABORTED).as("aborted").hasPositiveValue();
            assertThat(RESTORED).as("restored").hasPositiveValue();
            assertThat(ShakyFileSystem.FAILED).as("writes that failed").hasPositiveValue();
            assertThat(left())
                    .as("files of Drey in the storage of a job that has ended")
                    .isEmpty();
        } finally {
            cluster.close();
        }
    }

    /** Files of Drey in the storage, once those who delete have had time to. */
    private List<Path> left() throws Exception {
        List<Path> left = List.of();
        for (int look = 0; look == 0 || (look < LEFT_LOOKS_MAX && !left.isEmpty()); look++) {
            try (Stream<Path> files = Files.walk(directory.resolve("checkpoints"))) {
                left = files.filter(Files::isRegularFile)
                        .filter(AbortedCheckpointsIT::isOfDrey)
                        .filter(AbortedCheckpointsIT::isKnown)
                        .toList();
            } catch (UncheckedIOException | NoSuchFileException e) {
                // Somebody deletes just now.
                left = List.of(directory);
            }
            Thread.sleep(20);
        }
        return left;
    }

    /**
     * Not the state of the source: where Flink cancels what has just been written it forgets it, rarely, in {@code
     * chk-N}. Of Drey manifests are there.
     */
    private static boolean isOfDrey(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return file.getParent().endsWith("shared")
                    || new String(in.readNBytes(MANIFEST_BEGIN.length()), ISO_8859_1).equals(MANIFEST_BEGIN);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Not what came after the last checkpoint of which tasks heard that it is complete: Flink's coordinator throws away
     * acknowledgements that wait for it when the job ends, and nobody knows what they list.
     */
    private static boolean isKnown(Path file) {
        Matcher checkpoint = CHECKPOINT.matcher(file.toString());
        return !checkpoint.find() || Long.parseLong(checkpoint.group(1)) <= LAST_COMPLETED.get();
    }
}
