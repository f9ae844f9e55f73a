package io.drey.bench.jmh.store;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Values that fit into memory, after a checkpoint: get, get of what is not there, and read-modify-write. */
public class StoreValues extends StoreBenchmark {
    @Param({"10000", "100000", "2000000"})
    public int keys;

    @Param({"16", "200"})
    public int valueBytes;

    @Setup
    public void load() throws Exception {
        open(LARGE_MEMORY_BYTES);
        for (int i = 0; i < keys; i++) {
            store.put(key.of(i), value(i), valueBytes);
        }
        store.settle();
    }

    /** What every operation costs before it comes to the store. */
    @Benchmark
    public int keyOnly() {
        return key.of(draw(keys)).keyGroup();
    }

    @Benchmark
    public int getHit() throws Exception {
        int length = store.get(key.of(draw(keys)));
        if (length != valueBytes) {
            throw new IllegalStateException("expected a value of " + valueBytes + " bytes, found " + length);
        }
        return length;
    }

    @Benchmark
    public int getAbsent() throws Exception {
        int length = store.get(key.of(keys + (long) draw(keys)));
        if (length >= 0) {
            throw new IllegalStateException("expected no value, found one of " + length + " bytes");
        }
        return length;
    }

    @Benchmark
    public void update() throws Exception {
        store.update(key.of(draw(keys)));
    }
}
