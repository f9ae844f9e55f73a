package io.drey.bench.jmh.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Maps of 20 entries that fit into memory, after a checkpoint: get and change of one entry, walk, and emptiness. */
public class StoreMaps extends StoreBenchmark {
    private static final int ENTRIES_PER_MAP = 20;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Entries of all maps together. */
    @Param({"10000", "100000", "2000000"})
    public int entries;

    @Param({"16", "200"})
    public int valueBytes;

    private final byte[] mapKey = new byte[Long.BYTES];
    private int maps;

    private byte[] mapKey(long number) {
        LONG.set(mapKey, 0, number);
        return mapKey;
    }

    @Setup
    public void load() throws Exception {
        open(LARGE_MEMORY_BYTES);
        maps = entries / ENTRIES_PER_MAP;
        for (int entry = 0; entry < ENTRIES_PER_MAP; entry++) {
            for (int i = 0; i < maps; i++) {
                store.putEntry(key.of(i), mapKey(entry), value(i), valueBytes);
            }
        }
        store.settle();
    }

    @Benchmark
    public int mapGet() throws Exception {
        int drawn = draw(entries);
        return store.getEntry(key.of(drawn / ENTRIES_PER_MAP), mapKey(drawn % ENTRIES_PER_MAP));
    }

    @Benchmark
    public void mapPut() throws Exception {
        int drawn = draw(entries);
        store.putEntry(key.of(drawn / ENTRIES_PER_MAP), mapKey(drawn % ENTRIES_PER_MAP), value(drawn), valueBytes);
    }

    /** One probe of a join: all 20 entries. */
    @Benchmark
    public long probeOf20() {
        long bytes = store.scan(key.of(draw(maps)));
        if (bytes != (long) ENTRIES_PER_MAP * (Long.BYTES + valueBytes)) {
            throw new IllegalStateException("expected 20 entries, found " + bytes + " bytes");
        }
        return bytes;
    }

    @Benchmark
    public boolean isEmptyOfFull() {
        return store.isMapEmpty(key.of(draw(maps)));
    }

    @Benchmark
    public boolean isEmptyOfEmpty() {
        return store.isMapEmpty(key.of(maps + (long) draw(maps)));
    }
}
