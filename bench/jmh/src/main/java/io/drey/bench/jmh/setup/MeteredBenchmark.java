package io.drey.bench.jmh.setup;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The base of all benchmarks: their length, counts beside time, and numbers at random. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public abstract class MeteredBenchmark {
    private long random = 0x2545F4914F6CDD1DL;

    /**
     * A number at random from 0 on, below a bound, by xorshift: the same in every run, and cheap beside what is
     * measured.
     */
    protected final int draw(int bound) {
        long x = random;
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        random = x;
        return (int) (((x >>> 33) * bound) >>> 31);
    }

    @Setup(Level.Iteration)
    public void startMeter() {
        Meter.start();
    }

    @TearDown(Level.Iteration)
    public void stopMeter() {
        Meter.stop();
    }
}
