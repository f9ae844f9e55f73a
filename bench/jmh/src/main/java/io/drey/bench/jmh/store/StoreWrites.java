package io.drey.bench.jmh.store;

import io.drey.bench.jmh.setup.Meter;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes that make state grow. They run in batches of a fixed size on a store that is new for each, so that no
 * contender is measured at another size than the others because it is faster.
 */
@BenchmarkMode(Mode.SingleShotTime)
public class StoreWrites extends StoreBenchmark {
    private static final int BATCH = 500_000;

    @Param({"16", "200"})
    public int valueBytes;

    /** A parameter of one benchmark. */
    @State(Scope.Thread)
    public static class Lists {
        @Param({"10000", "50000"})
        public int lists;
    }

    @Setup(Level.Invocation)
    public void openNew() throws Exception {
        open(LARGE_MEMORY_BYTES);
        Meter.start();
    }

    @TearDown(Level.Invocation)
    public void leave() throws IOException {
        Meter.stop();
        close();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void putNew() throws Exception {
        for (int i = 0; i < BATCH; i++) {
            store.put(key.of(i), value(i), valueBytes);
        }
    }

    /** Elements for lists in random order, 10 or 50 for each. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void listAdd(Lists param) throws Exception {
        for (int i = 0; i < BATCH; i++) {
            store.append(key.of(draw(param.lists)), value(i), valueBytes);
        }
    }
}
