package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.v2.MapState;
import org.apache.flink.api.common.state.v2.MapStateDescriptor;
import org.apache.flink.api.common.state.v2.ValueState;
import org.apache.flink.api.common.state.v2.ValueStateDescriptor;
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
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job with {@code enableAsyncState()} that fails and goes on: each element finds what those before it left. */
public class AsynchronousStateIT {
    private static final int KEYS = 500;
    private static final int NUMBERS = 200_000;

    private static final List<String> WRONG = new CopyOnWriteArrayList<>();
    private static final AtomicInteger COMPLETED = new AtomicInteger();
    private static final AtomicInteger FAILURES = new AtomicInteger();
    private static final AtomicInteger FIRED = new AtomicInteger();

    @TempDir
    Path directory;

    /** Counts its key's numbers, which come in order: how many there must be follows from the number. */
    private static final class Counting extends KeyedProcessFunction<Long, Long, Long> implements CheckpointListener {
        private static final long serialVersionUID = 1;

        private transient ValueState<Long> count;
        private transient MapState<Long, Long> last;

        @Override
        public void open(OpenContext context) {
            StateTtlConfig ttl = StateTtlConfig.newBuilder(Duration.ofHours(1)).build();
            ValueStateDescriptor<Long> counted = new ValueStateDescriptor<>("count", Types.LONG);
            counted.enableTimeToLive(ttl);
            count = getRuntimeContext().getState(counted);
            MapStateDescriptor<Long, Long> mapped = new MapStateDescriptor<>("last", Types.LONG, Types.LONG);
            mapped.enableTimeToLive(ttl);
            last = getRuntimeContext().getMapState(mapped);
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            context.timerService().registerEventTimeTimer(Long.MAX_VALUE - 1);
            count.asyncValue()
                    .thenCombine(last.asyncGet(0L), (counted, before) -> check(number, counted, before))
                    .thenCompose(before -> count.asyncUpdate(before + 1))
                    .thenCompose(done -> last.asyncPut(0L, number))
                    .thenAccept(done -> out.collect(number));
            if (number > NUMBERS / 2 && FAILURES.get() == 0) {
                if (COMPLETED.get() > 0 && FAILURES.compareAndSet(0, 1)) {
                    throw new IOException("on purpose");
                }
                // Until a checkpoint has completed.
                Thread.sleep(1);
            }
        }

        private static long check(long number, Long counted, Long last) {
            long before = counted == null ? 0 : counted;
            if (before != number / KEYS || (before > 0 && last != number - KEYS)) {
                WRONG.add("before " + number + " there were " + before + ", the last one " + last);
            }
            return before;
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<Long> out) {
            FIRED.incrementAndGet();
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            COMPLETED.incrementAndGet();
        }
    }

    private Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(StateBackendOptions.STATE_BACKEND, DreyStateBackendFactory.class.getName());
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(16));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return configuration;
    }

    @Test
    void stateAndTimersAreExactAfterAFailure() throws Exception {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .setConfiguration(configuration())
                .build());
        try {
            cluster.start();
            StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration());
            env.setParallelism(2);
            env.fromSequence(0, NUMBERS - 1)
                    .setParallelism(1)
                    .keyBy(number -> number % KEYS, Types.LONG)
                    .enableAsyncState()
                    .process(new Counting())
                    .sinkTo(new DiscardingSink<>());
            cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
            assertThat(FAILURES).hasValue(1);
            assertThat(WRONG).isEmpty();
            assertThat(FIRED).hasValue(KEYS);
        } finally {
            cluster.close();
        }
    }
}
