package io.drey.bench.jmh.store;

import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * State of five times the memory, also on the disk, as no two values are alike; its files in the page cache: what a
 * read costs that memory does not answer.
 */
public class StoreCold extends StoreBenchmark {
    private static final long MEMORY_BYTES = 64L << 20;
    private static final int STATE_PER_MEMORY = 5;

    /** Of a key, in the middle. */
    private static final int KEY_BYTES = 12;

    private static final int VALUE_BYTES = 200;

    private int keys;

    @Setup
    public void load() throws Exception {
        open(MEMORY_BYTES);
        keys = (int) (MEMORY_BYTES * STATE_PER_MEMORY / (KEY_BYTES + VALUE_BYTES));
        Random noise = new Random(1);
        byte[] noisy = new byte[VALUE_BYTES];
        for (int i = 0; i < keys; i++) {
            noise.nextBytes(noisy);
            store.put(key.of(i), noisy, VALUE_BYTES);
        }
        store.settle();
    }

    @Benchmark
    public int coldGet() throws Exception {
        int length = store.get(key.of(draw(keys)));
        if (length != VALUE_BYTES) {
            throw new IllegalStateException("expected a value of " + VALUE_BYTES + " bytes, found " + length);
        }
        return length;
    }

    @Benchmark
    public int coldGetAbsent() throws Exception {
        return store.get(key.of(keys + (long) draw(keys)));
    }
}
