package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.options.DreyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that is restored from slow storage and does not wait: it fails while its files are still coming, is restored
 * again, completes a checkpoint meanwhile, fails, and goes on from that one. Each element finds what those before left.
 */
public class LazyRestoreIT {
    private static final int KEYS = 1_000;
    private static final int VALUE_BYTES = 24_000;
    private static final int PASSES = 5;
    private static final int PASSES_BEFORE_FAILURE = 3;
    private static final int COMPLETED_BEFORE_FAILURE = 3;
    private static final int EVENTS_IN_SECOND_ATTEMPT = 3;
    private static final int LAST_ATTEMPT = 4;
    private static final int READ_MS = 100;
    private static final int WAITING_MS = 25;

    private static final List<String> WRONG = new CopyOnWriteArrayList<>();
    private static final List<Long> READ_AT_FIRST_EVENT = new CopyOnWriteArrayList<>();
    private static final List<Long> READ_AT_FAILURE = new CopyOnWriteArrayList<>();
    private static final AtomicInteger ATTEMPTS = new AtomicInteger();

    @TempDir
    Path directory;

    /**
     * Slows the source down, so that barriers do not wait behind numbers; more so where it should have failed, as long
     * as too few checkpoints have completed for that.
     */
    private static final class Slowly implements MapFunction<Long, Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long map(Long number) throws InterruptedException {
            Thread.sleep(number / KEYS >= PASSES_BEFORE_FAILURE && ATTEMPTS.get() < LAST_ATTEMPT ? WAITING_MS : 1);
            return number;
        }
    }

    /** Remembers for each key a long text that follows from its number of elements. */
    private static final class Remembering extends KeyedProcessFunction<Long, Long, Long>
            implements CheckpointedFunction, CheckpointListener {
        private static final long serialVersionUID = 1;

        private transient ValueState<byte[]> state;
        private transient int attempt;
        private transient int events;
        private transient int completed;

        @Override
        public void initializeState(FunctionInitializationContext context) {
            attempt = ATTEMPTS.incrementAndGet();
        }

        @Override
        public void open(OpenContext context) {
            state = getRuntimeContext()
                    .getState(
                            new ValueStateDescriptor<>("state", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        }

        private static byte[] value(long key, long count) {
            byte[] bytes = new byte[VALUE_BYTES];
            new SplittableRandom(key * PASSES + count).nextBytes(bytes);
            return bytes;
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            byte[] before = state.value();
            if (events++ == 0 && attempt > 1) {
                READ_AT_FIRST_EVENT.add(ShakyFileSystem.READ_BYTES.get());
            }
            long key = number % KEYS;
            long count = number / KEYS;
            byte[] expected = count == 0 ? null : value(key, count);
            if (!Arrays.equals(before, expected)) {
                WRONG.add("before " + number + " in attempt " + attempt);
            }
            state.update(value(key, count + 1));
            boolean fails = switch (attempt) {
                case 1 -> count >= PASSES_BEFORE_FAILURE && completed >= COMPLETED_BEFORE_FAILURE;
                case 2 -> events == EVENTS_IN_SECOND_ATTEMPT;
                case 3 -> completed > 0;
                default -> false;
            };
            if (fails) {
                READ_AT_FAILURE.add(ShakyFileSystem.READ_BYTES.getAndSet(0));
                ShakyFileSystem.READ_MS.set(READ_MS);
                throw new IOException("on purpose");
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) {}

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            completed++;
        }
    }

    private Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(StateBackendOptions.STATE_BACKEND, DreyStateBackendFactory.class.getName());
        configuration.set(DreyOptions.RESTORE_LAZY, true);
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                ShakyFileSystem.SCHEME + "://" + directory.resolve("checkpoints"));
        configuration.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(0));
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100));
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return configuration;
    }

    @Test
    void eventsAreProcessedBeforeTheFilesAreLocalAndStateIsExact() throws Exception {
        WRONG.clear();
        READ_AT_FIRST_EVENT.clear();
        READ_AT_FAILURE.clear();
        ATTEMPTS.set(0);
        ShakyFileSystem.READ_MS.set(0);
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .setConfiguration(configuration())
                .build());
        try {
            cluster.start();
            StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration());
            env.setParallelism(1);
            env.fromSequence(0, (long) PASSES * KEYS - 1)
                    .map(new Slowly())
                    .keyBy(number -> number % KEYS, Types.LONG)
                    .process(new Remembering())
                    .sinkTo(new DiscardingSink<>());
            cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
        } finally {
            cluster.close();
            ShakyFileSystem.READ_MS.set(0);
        }
        assertThat(WRONG).isEmpty();
        assertThat(ATTEMPTS).hasValue(LAST_ATTEMPT);
        long stateBytes = (long) KEYS * VALUE_BYTES;
        assertThat(READ_AT_FIRST_EVENT)
                .hasSize(3)
                .allSatisfy(read -> assertThat(read)
                        .as("bytes read before the first event, of at least %d", stateBytes)
                        .isLessThan(stateBytes / 2));
        assertThat(READ_AT_FAILURE.get(1))
                .as("bytes read when it failed while files were coming")
                .isLessThan(stateBytes);
    }
}
