package io.drey.bench.jmh.state;

import io.drey.bench.jmh.setup.Draws;
import io.drey.bench.jmh.setup.Meter;
import io.drey.flink.state.metric.StateCounters;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
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
 * What the metrics of a state, which are always on, add to its operations: the same draw of a number, not counted, counted
 * as a read, and counted as a read and a write.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StateCounting {
    private static final int BYTES_MAX = 1000;

    /** These are the counters of Drey. */
    @Param("drey")
    public String contender;

    private final Draws draws = new Draws();
    private final EntryKey key = new EntryKey();
    private StateCounters counters;

    @Setup
    public void open() {
        counters = new StateCounters();
        Bytes part = new Bytes();
        part.append((byte) 1);
        key.row(1, 0, part, new Bytes());
    }

    @Setup(Level.Iteration)
    public void startMeter() {
        Meter.start();
    }

    @TearDown(Level.Iteration)
    public void stopMeter() {
        Meter.stop();
    }

    @Benchmark
    public int notCounted() {
        return draws.below(BYTES_MAX);
    }

    @Benchmark
    public int readCounted() {
        int bytes = draws.below(BYTES_MAX);
        counters.got(counters.begin(), bytes > 0, key, bytes);
        return bytes;
    }

    @Benchmark
    public int readAndWriteCounted() {
        int bytes = draws.below(BYTES_MAX);
        counters.got(counters.begin(), bytes > 0, key, bytes);
        counters.put(counters.begin(), key, bytes);
        return bytes;
    }
}
