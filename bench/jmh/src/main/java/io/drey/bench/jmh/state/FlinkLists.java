package io.drey.bench.jmh.state;

import io.drey.bench.jmh.setup.Meter;
import java.io.IOException;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** List state that grows, in batches of a fixed size on a backend that is new for each. */
@BenchmarkMode(Mode.SingleShotTime)
public class FlinkLists extends StateBenchmark {
    private static final int BATCH = 500_000;
    private static final int LISTS = BATCH / 10;

    private ListState<Long> lists;

    @Setup(Level.Invocation)
    public void openNew() throws Exception {
        open(LISTS);
        lists = backend.state(new ListStateDescriptor<>("lists", LongSerializer.INSTANCE));
        Meter.start();
    }

    @TearDown(Level.Invocation)
    public void leave() throws IOException {
        Meter.stop();
        close();
    }

    /** Ten elements for each of 50,000 lists, in turn. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void listAdd() throws Exception {
        for (int i = 0; i < BATCH; i++) {
            key(draw(LISTS));
            lists.add((long) i);
        }
    }
}
