package io.drey.bench.jmh.state;

import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Map state of 20 entries a key, from {@code Long} to {@code Long}, that fits into memory, after a checkpoint. */
public class FlinkMaps extends StateBenchmark {
    private static final int ENTRIES_PER_MAP = 20;

    /** Entries of all maps together. */
    @Param({"10000", "100000", "2000000"})
    public int entries;

    private MapState<Long, Long> maps;
    private final Long[] mapKeys = new Long[ENTRIES_PER_MAP];
    private int keys;

    @Setup
    public void load() throws Exception {
        keys = entries / ENTRIES_PER_MAP;
        // Twice as many keys as there are maps: those above have none.
        open(2 * keys);
        maps = backend.state(new MapStateDescriptor<>("maps", LongSerializer.INSTANCE, LongSerializer.INSTANCE));
        for (int entry = 0; entry < ENTRIES_PER_MAP; entry++) {
            mapKeys[entry] = 1000L + entry;
            for (int i = 0; i < keys; i++) {
                key(i);
                maps.put(mapKeys[entry], (long) i);
            }
        }
        backend.checkpoint();
    }

    private Long drawMapKey() {
        return mapKeys[draw(ENTRIES_PER_MAP)];
    }

    @Benchmark
    public Long mapGet() throws Exception {
        key(draw(keys));
        return maps.get(drawMapKey());
    }

    @Benchmark
    public void mapGetAndPut() throws Exception {
        key(draw(keys));
        Long mapKey = drawMapKey();
        maps.put(mapKey, maps.get(mapKey) + 1);
    }

    @Benchmark
    @OperationsPerInvocation(ENTRIES_PER_MAP)
    public long mapIterationPerEntry() throws Exception {
        key(draw(keys));
        long sum = 0;
        for (Map.Entry<Long, Long> entry : maps.entries()) {
            sum += entry.getKey() + entry.getValue();
        }
        return sum;
    }

    /** As a join asks the other side, which mostly has nothing. */
    @Benchmark
    public long iterationOfEmptyMap() throws Exception {
        key(keys + draw(keys));
        long sum = 0;
        for (Map.Entry<Long, Long> entry : maps.entries()) {
            sum += entry.getKey() + entry.getValue();
        }
        return sum;
    }

    @Benchmark
    public boolean isEmptyOfEmptyMap() throws Exception {
        key(keys + draw(keys));
        return maps.isEmpty();
    }
}
