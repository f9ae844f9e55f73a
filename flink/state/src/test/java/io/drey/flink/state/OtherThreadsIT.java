package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator that uses its state as Python's do: a thread of its own reads and writes values, while the task's thread
 * registers timers and prepares checkpoints; before a barrier it waits for all of the other thread's work.
 */
public class OtherThreadsIT {
    private static final int KEYS = 20_000;
    private static final int NUMBERS = 1_500_000;
    private static final int VALUE_BYTES = 200;
    private static final int BUNDLE = 1_000;

    /** Never comes. */
    private static final long FAR = 1L << 40;

    private static final List<String> WRONG = new CopyOnWriteArrayList<>();
    private static final AtomicInteger COMPLETED = new AtomicInteger();

    @TempDir
    Path directory;

    /** Counts its key's numbers, which come in order: how many there must be follows from the number. */
    private static final class Counting extends AbstractStreamOperator<Long>
            implements OneInputStreamOperator<Long, Long>, Triggerable<Long, VoidNamespace> {
        private static final long serialVersionUID = 1;

        private transient ExecutorService other;
        private transient Semaphore room;
        private transient InternalTimerService<VoidNamespace> timers;

        /** Of timers; the backend has that of the other thread. */
        private transient Object timerKey;

        @Override
        public void open() throws Exception {
            super.open();
            other = Executors.newSingleThreadExecutor();
            room = new Semaphore(BUNDLE);
            timers = getInternalTimerService("timers", VoidNamespaceSerializer.INSTANCE, this);
        }

        @Override
        public void setCurrentKey(Object key) {
            timerKey = key;
        }

        @Override
        public Object getCurrentKey() {
            return timerKey;
        }

        @Override
        public void processElement(StreamRecord<Long> element) throws InterruptedException {
            long number = element.getValue();
            room.acquire();
            other.execute(() -> {
                try {
                    count(number);
                } finally {
                    room.release();
                }
            });
            timers.registerEventTimeTimer(VoidNamespace.INSTANCE, FAR + number);
        }

        private void count(long number) {
            try {
                KeyedStateBackend<Long> backend = getKeyedStateBackend();
                backend.setCurrentKey(number % KEYS);
                ValueState<byte[]> state = backend.getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>("count", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
                byte[] value = state.value();
                long before = value == null ? 0 : ByteBuffer.wrap(value).getLong();
                if (before != number / KEYS) {
                    WRONG.add("before " + number + " there were " + before);
                }
                state.update(
                        ByteBuffer.allocate(VALUE_BYTES).putLong(before + 1).array());
            } catch (Exception | Error e) {
                WRONG.add("at " + number + ": " + e);
            }
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) throws Exception {
            super.notifyCheckpointComplete(checkpointId);
            COMPLETED.incrementAndGet();
        }

        private void finishBundle() throws InterruptedException {
            room.acquire(BUNDLE);
            room.release(BUNDLE);
        }

        @Override
        public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
            finishBundle();
        }

        @Override
        public void finish() throws Exception {
            finishBundle();
        }

        @Override
        public void close() throws Exception {
            other.shutdown();
            other.awaitTermination(1, TimeUnit.MINUTES);
            super.close();
        }

        @Override
        public void onEventTime(InternalTimer<Long, VoidNamespace> timer) {}

        @Override
        public void onProcessingTime(InternalTimer<Long, VoidNamespace> timer) {}
    }

    @Test
    void stateOfAnOperatorWithAThreadOfItsOwnIsExact() throws Exception {
        Configuration options = new Configuration();
        options.set(StateBackendOptions.STATE_BACKEND, DreyStateBackendFactory.class.getName());
        options.setString("state.backend.drey.memory.fixed-per-slot", "4mb");
        options.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(2_500));
        options.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toUri().toString());
        options.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
        options.set(RestOptions.BIND_PORT, "0");
        options.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(options);
        env.setParallelism(1);
        WRONG.clear();
        COMPLETED.set(0);
        env.fromSequence(0, NUMBERS - 1)
                .keyBy(number -> number % KEYS, Types.LONG)
                .transform("counting", Types.LONG, new Counting())
                .sinkTo(new DiscardingSink<>());
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(options)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .build());
        try {
            cluster.start();
            cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
        } finally {
            cluster.close();
        }
        assertThat(WRONG).isEmpty();
        assertThat(COMPLETED.get()).as("completed checkpoints").isPositive();
    }
}
