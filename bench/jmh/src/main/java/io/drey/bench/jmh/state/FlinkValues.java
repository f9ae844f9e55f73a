package io.drey.bench.jmh.state;

import java.util.Random;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Value state that fits into memory, after a checkpoint: of {@code Long}, and of arrays of 200 bytes. */
public class FlinkValues extends StateBenchmark {
    private static final int ARRAY_BYTES = 200;

    @Param({"10000", "100000", "2000000"})
    public int keys;

    private ValueState<Long> counts;
    private ValueState<byte[]> arrays;
    private byte[] array;

    @Setup
    public void load() throws Exception {
        // Twice as many keys as there are values: those above have none.
        open(2 * keys);
        counts = backend.state(new ValueStateDescriptor<>("counts", LongSerializer.INSTANCE));
        arrays = backend.state(new ValueStateDescriptor<>("arrays", BytePrimitiveArraySerializer.INSTANCE));
        Random random = new Random(42);
        array = new byte[ARRAY_BYTES];
        for (int i = 0; i < keys; i++) {
            key(i);
            counts.update((long) i);
            random.nextBytes(array);
            arrays.update(array.clone());
        }
        backend.checkpoint();
    }

    @Benchmark
    public Long getHitLong() throws Exception {
        key(draw(keys));
        return counts.value();
    }

    @Benchmark
    public Long getAbsentLong() throws Exception {
        key(keys + draw(keys));
        return counts.value();
    }

    @Benchmark
    public void getAndUpdateLong() throws Exception {
        key(draw(keys));
        counts.update(counts.value() + 1);
    }

    @Benchmark
    public byte[] getHit200Bytes() throws Exception {
        key(draw(keys));
        return arrays.value();
    }

    @Benchmark
    public void getAndUpdate200Bytes() throws Exception {
        key(draw(keys));
        byte[] value = arrays.value();
        value[0]++;
        arrays.update(value);
    }
}
