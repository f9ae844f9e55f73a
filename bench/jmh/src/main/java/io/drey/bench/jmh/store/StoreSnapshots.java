package io.drey.bench.jmh.store;

import io.drey.bench.jmh.setup.Meter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The time for which a checkpoint keeps the task's thread, after 100,000 changes of a state of 500,000 values of 200
 * bytes.
 */
@BenchmarkMode(Mode.SingleShotTime)
public class StoreSnapshots extends StoreBenchmark {
    private static final int KEYS = 500_000;
    private static final int CHANGES = 100_000;
    private static final int VALUE_BYTES = 200;

    private ByteStore.Snapshot snapshot;

    @Setup
    public void load() throws Exception {
        open(LARGE_MEMORY_BYTES);
        for (int i = 0; i < KEYS; i++) {
            store.put(key.of(i), value(i), VALUE_BYTES);
        }
        store.settle();
    }

    @Setup(Level.Invocation)
    public void change() throws Exception {
        for (int i = 0; i < CHANGES; i++) {
            store.update(key.of(draw(KEYS)));
        }
        Meter.start();
    }

    @Benchmark
    public void snapshotSynchronousPart() throws Exception {
        snapshot = store.snapshot();
    }

    @TearDown(Level.Invocation)
    public void finish() throws Exception {
        Meter.stop();
        snapshot.close();
    }
}
