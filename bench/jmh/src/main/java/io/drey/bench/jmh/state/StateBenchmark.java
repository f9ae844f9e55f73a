package io.drey.bench.jmh.state;

import io.drey.bench.jmh.setup.Draws;
import io.drey.bench.jmh.setup.Meter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What benchmarks at Flink's state interfaces share: the contender's backend, and keys drawn at random from objects that
 * are there already. Setting the key is part of every operation, as an operator does it for every record.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public abstract class StateBenchmark {
    /** Managed memory, in which all states here fit. */
    private static final long MEMORY_BYTES = 1L << 30;

    @Param({"drey", "rocksdb", "rocksdb-tuned", "hashmap"})
    public String contender;

    KeyedBackend backend;
    private Long[] keys;
    private final Draws draws = new Draws();

    final void open(int keyCount) throws Exception {
        backend = new KeyedBackend(contender, MEMORY_BYTES);
        keys = new Long[keyCount];
        for (int i = 0; i < keyCount; i++) {
            keys[i] = i * 0x9E3779B97F4A7C15L;
        }
    }

    /** Sets the current key to one of those that there are. */
    final void key(int number) {
        backend.key(keys[number]);
    }

    final int draw(int bound) {
        return draws.below(bound);
    }

    @Setup(Level.Iteration)
    public void startMeter() {
        Meter.start();
    }

    @TearDown(Level.Iteration)
    public void stopMeter() {
        Meter.stop();
    }

    @TearDown
    public void close() throws IOException {
        if (backend != null) {
            backend.close();
            backend = null;
        }
    }
}
