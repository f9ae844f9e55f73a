package io.drey.flink.state.combined;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
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
 * Two pipelines without an exchange between them, so that each restarts by itself. A key's numbers come in order: how
 * many there were before follows from the number, and three kinds of state must say the same. Fails now and then.
 */
final class CombinedJob {
    static final int PIPELINES = 2;

    /** What was found and should not have been. */
    static final List<String> WRONG = new CopyOnWriteArrayList<>();

    static final AtomicInteger FAILURES_LEFT = new AtomicInteger();

    private static final int KEYS = 300;
    private static final int MAP_KEYS = 7;
    private static final int ELEMENTS_PER_FAILURE = 8_000;
    private static final int SNAPSHOTS_PER_FAILURE = 60;
    private static final int MAX_PARALLELISM = 32;

    private static final AtomicInteger HEARD = new AtomicInteger();

    private CombinedJob() {}

    /** A job begins, of which so many elements may fail. */
    static void begin(int failures) {
        WRONG.clear();
        FAILURES_LEFT.set(failures);
        HEARD.set(0);
    }

    /** Checkpoints of which all pipelines have heard that they completed. */
    static int completed() {
        return HEARD.get() / PIPELINES;
    }

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

    private static final class Counting extends KeyedProcessFunction<Long, Long, Long>
            implements CheckpointedFunction, CheckpointListener {
        private static final long serialVersionUID = 1;

        private transient ValueState<Long> count;
        private transient ListState<Long> numbers;
        private transient MapState<Long, Long> counts;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
            numbers = getRuntimeContext().getListState(new ListStateDescriptor<>("numbers", Types.LONG));
            counts = getRuntimeContext().getMapState(new MapStateDescriptor<>("counts", Types.LONG, Types.LONG));
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
            long before = count.value() == null ? 0 : count.value();
            long listed = 0;
            for (Long earlier : numbers.get()) {
                listed += earlier % KEYS == number % KEYS ? 1 : 0;
            }
            long mapped = 0;
            for (Long each : counts.values()) {
                mapped += each;
            }
            if (before != number / KEYS || listed != before || mapped != before) {
                WRONG.add("before " + number + " there were " + before + ", in the list " + listed + ", in the map "
                        + mapped);
            }
            count.update(before + 1);
            numbers.add(number);
            Long some = counts.get(before % MAP_KEYS);
            counts.put(before % MAP_KEYS, some == null ? 1 : some + 1);
            if (ThreadLocalRandom.current().nextInt(ELEMENTS_PER_FAILURE) == 0 && FAILURES_LEFT.getAndDecrement() > 0) {
                throw new IOException("on purpose");
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws IOException {
            if (ThreadLocalRandom.current().nextInt(SNAPSHOTS_PER_FAILURE) == 0) {
                throw new IOException("no checkpoint now, on purpose");
            }
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {
            // All state is keyed.
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
                HEARD.incrementAndGet();
            }
        }
    }

    /** @param parallelism of each pipeline's counting */
    static JobGraph graph(Configuration configuration, List<Integer> parallelism) {
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration);
        env.setMaxParallelism(MAX_PARALLELISM);
        for (int i = 0; i < PIPELINES; i++) {
            env.fromSequence(0, Long.MAX_VALUE / 2)
                    .setParallelism(1)
                    .uid("source" + i)
                    .map(new Slowly())
                    .setParallelism(1)
                    .uid("slow" + i)
                    .keyBy(number -> number % KEYS, Types.LONG)
                    .process(new Counting())
                    .setParallelism(parallelism.get(i))
                    .uid("count" + i)
                    .sinkTo(new DiscardingSink<>())
                    .setParallelism(parallelism.get(i))
                    .uid("sink" + i);
        }
        return env.getStreamGraph().getJobGraph();
    }
}
