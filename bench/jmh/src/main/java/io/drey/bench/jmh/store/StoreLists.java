package io.drey.bench.jmh.store;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Lists that grew element by element, in random order, and are read whole from memory: what adding saves, reading may
 * pay.
 */
public class StoreLists extends StoreBenchmark {
    private static final int ELEMENTS = 500_000;

    @Param({"10000", "50000"})
    public int lists;

    @Param({"16", "200"})
    public int valueBytes;

    @Setup
    public void load() throws Exception {
        open(LARGE_MEMORY_BYTES);
        for (int i = 0; i < ELEMENTS; i++) {
            int list = i < lists ? i : draw(lists);
            store.append(key.of(list), value(i), valueBytes);
        }
    }

    /** Elements for each list: 10 or 50 on average. */
    @Benchmark
    public int listGet() throws Exception {
        int length = store.getList(key.of(draw(lists)));
        if (length < valueBytes) {
            throw new IllegalStateException(
                    "expected a list of elements of " + valueBytes + " bytes, found " + length + " bytes");
        }
        return length;
    }
}
