package io.drey.bench.jmh.state;

import io.drey.bench.jmh.setup.MeteredBenchmark;
import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The base of benchmarks at Flink's state interfaces: the contender's backend, and keys drawn at random from objects
 * that are there already. Setting the key is part of every operation, as an operator does it for every record.
 */
public abstract class StateBenchmark extends MeteredBenchmark {
    /** Managed memory, in which all states here fit. */
    static final long MEMORY_BYTES = 1L << 30;

    @Param({"drey", "rocksdb", "rocksdb-tuned", "hashmap"})
    public String contender;

    KeyedBackend backend;
    private Long[] keys;

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

    @TearDown
    public void close() throws IOException {
        if (backend != null) {
            backend.close();
            backend = null;
        }
    }
}
