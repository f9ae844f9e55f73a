package io.drey.bench.jmh.state;

import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The queue of timers at a steady size: the first one fires, and another one is registered further on. */
public class FlinkTimers extends StateBenchmark {
    private static final int SPREAD_MS = 1 << 30;

    @Param({"100000", "1000000"})
    public int timers;

    /** Each timer at a time of its own, or all at the end of one window, and then of the next. */
    @Param({"own", "window"})
    public String times;

    private boolean isWindow;

    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Long, VoidNamespace>> queue;

    @Setup
    public void load() throws Exception {
        open(1);
        queue = backend.timers();
        isWindow = times.equals("window");
        for (int i = 0; i < timers; i++) {
            queue.add(new TimerHeapInternalTimer<>(after(0), (long) i, VoidNamespace.INSTANCE));
        }
    }

    @Benchmark
    public boolean pollAndRegister() {
        TimerHeapInternalTimer<Long, VoidNamespace> first = queue.poll();
        return queue.add(
                new TimerHeapInternalTimer<>(after(first.getTimestamp()), first.getKey(), VoidNamespace.INSTANCE));
    }

    private long after(long timestampMs) {
        return timestampMs + (isWindow ? SPREAD_MS : draw(SPREAD_MS));
    }
}
