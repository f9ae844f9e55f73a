package io.drey.flink.objects;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * A job that checks its own state: the numbers come in order, so what those before one have left in its key's state
 * follows from it. Runs until it is stopped. One at a time in a process.
 */
final class CountingJob {
    /** With {@link #BYTES} it is more state than goes up in one part. */
    private static final int KEYS = 400;

    private static final int BYTES = 32 << 10;

    /** What was found that is not what it should be. */
    static final List<String> WRONG = new CopyOnWriteArrayList<>();

    static final AtomicLong SEEN = new AtomicLong();
    static final AtomicInteger COMPLETED = new AtomicInteger();
    static final AtomicInteger RESTORED = new AtomicInteger();

    /** Makes it fail once. */
    static final AtomicBoolean FAIL = new AtomicBoolean();

    private CountingJob() {}

    private static final class Slowly implements MapFunction<Long, Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long map(Long number) throws InterruptedException {
            // All keys soon, then slowly.
            if (number > KEYS && number % 10 == 0) {
                Thread.sleep(5);
            }
            return number;
        }
    }

    private static final class Counting extends KeyedProcessFunction<Long, Long, Long>
            implements CheckpointedFunction, CheckpointListener {
        private static final long serialVersionUID = 1;

        private transient ValueState<Long> count;
        private transient ValueState<byte[]> bytes;
        private transient ListState<Long> numbers;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
            bytes = getRuntimeContext()
                    .getState(
                            new ValueStateDescriptor<>("bytes", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
            numbers = getRuntimeContext().getListState(new ListStateDescriptor<>("numbers", Types.LONG));
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            long before = count.value() == null ? 0 : count.value();
            long listed = 0;
            for (Long earlier : numbers.get()) {
                listed += earlier % KEYS == number % KEYS ? 1 : 0;
            }
            byte[] expected = new byte[BYTES];
            new SplittableRandom(number % KEYS).nextBytes(expected);
            if (before == 0) {
                bytes.update(expected);
            }
            if (before != number / KEYS || listed != before || !Arrays.equals(bytes.value(), expected)) {
                WRONG.add("before " + number + " there were " + before + " and in the list " + listed);
            }
            count.update(before + 1);
            numbers.add(number);
            SEEN.incrementAndGet();
            if (FAIL.compareAndSet(true, false)) {
                throw new IOException("on purpose");
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) {}

        @Override
        public void initializeState(FunctionInitializationContext context) {
            if (context.isRestored()) {
                RESTORED.incrementAndGet();
            }
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            COMPLETED.incrementAndGet();
        }
    }

    /** The job, anew. */
    static JobGraph graph(Configuration configuration, int parallelism) {
        List.of(COMPLETED, RESTORED).forEach(count -> count.set(0));
        SEEN.set(0);
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration);
        env.setParallelism(parallelism);
        env.setMaxParallelism(16);
        env.fromSequence(0, Long.MAX_VALUE)
                .setParallelism(1)
                .uid("numbers")
                .map(new Slowly())
                .setParallelism(1)
                .uid("slowly")
                .keyBy(number -> number % KEYS, Types.LONG)
                .process(new Counting())
                .uid("counting")
                .sinkTo(new DiscardingSink<>())
                .uid("nowhere");
        return env.getStreamGraph().getJobGraph();
    }
}
