package io.drey.bench.jmh.store;

import io.drey.bench.jmh.setup.Draws;
import io.drey.bench.jmh.setup.Folder;
import io.drey.bench.jmh.setup.Meter;
import java.io.IOException;
import java.util.List;
import java.util.Random;
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
 * What benchmarks at the store's interface share: the contender, its memory and folder, values of noise that is the same
 * but for three bytes, and keys drawn at random. Making a key is part of every operation, for every contender.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public abstract class StoreBenchmark {
    /** Memory of a contender whose state fits. */
    static final long LARGE_MEMORY_BYTES = 1L << 30;

    private static final int VALUE_BYTES_MAX = 1 << 10;

    @Param({"drey", "rocksdb", "rocksdb-tuned"})
    public String contender;

    final RecordKey key = new RecordKey();
    final byte[] value = new byte[VALUE_BYTES_MAX];
    ByteStore store;
    private Folder folder;
    private final Draws draws = new Draws();

    final void open(long memoryBytes) throws Exception {
        checkContender();
        new Random(42).nextBytes(value);
        folder = new Folder();
        store = contender.equals("drey")
                ? new DreyByteStore(folder.path(), memoryBytes)
                : new RocksByteStore(contender, folder.path(), memoryBytes);
    }

    private void checkContender() throws NoSuchFieldException {
        List<String> contenders = List.of(StoreBenchmark.class
                .getField("contender")
                .getAnnotation(Param.class)
                .value());
        if (!contenders.contains(contender)) {
            throw new IllegalArgumentException(
                    "expected one of the contenders " + contenders + " at the store's interface, found " + contender);
        }
    }

    final int draw(int bound) {
        return draws.below(bound);
    }

    /** Another value for every record, of the same noise. */
    final byte[] value(int number) {
        value[0] = (byte) number;
        value[1] = (byte) (number >>> 8);
        value[2] = (byte) (number >>> 16);
        return value;
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
        if (store != null) {
            store.close();
            store = null;
            folder.close();
        }
    }
}
