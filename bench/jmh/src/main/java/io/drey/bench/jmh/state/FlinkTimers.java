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

    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Long, VoidNamespace>> queue;

    @Setup
    public void load() throws Exception {
        open(1);
        queue = backend.timers();
        for (int i = 0; i < timers; i++) {
            queue.add(new TimerHeapInternalTimer<>(draw(SPREAD_MS), (long) i, VoidNamespace.INSTANCE));
        }
    }

    @Benchmark
    public boolean pollAndRegister() {
        TimerHeapInternalTimer<Long, VoidNamespace> first = queue.poll();
        return queue.add(new TimerHeapInternalTimer<>(
                first.getTimestamp() + draw(SPREAD_MS), first.getKey(), VoidNamespace.INSTANCE));
    }
}
