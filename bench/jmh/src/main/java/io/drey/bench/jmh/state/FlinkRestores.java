package io.drey.bench.jmh.state;

import io.drey.bench.jmh.setup.Folder;
import io.drey.bench.jmh.setup.Meter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** The restore of a canonical savepoint in a file, which is how a job moves to another backend: a million values. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FlinkRestores extends StateBenchmark {
    private static final int KEYS = 1_000_000;

    @Param({"8", "500"})
    public int valueBytes;

    private Folder folder;
    private KeyedStateHandle savepoint;
    private KeyedBackend restored;

    @Setup
    public void write() throws Exception {
        folder = new Folder();
        open(KEYS);
        ValueState<byte[]> values =
                backend.state(new ValueStateDescriptor<>("values", BytePrimitiveArraySerializer.INSTANCE));
        byte[] value = new byte[valueBytes];
        for (int i = 0; i < KEYS; i++) {
            key(i);
            value[i % valueBytes]++;
            values.update(value.clone());
        }
        savepoint = backend.canonicalSavepoint(folder.path());
        close();
    }

    @Setup(Level.Invocation)
    public void start() {
        Meter.start();
    }

    @Benchmark
    public void canonicalSavepoint() throws Exception {
        restored = new KeyedBackend(contender, MEMORY_BYTES, List.of(savepoint));
    }

    @TearDown(Level.Invocation)
    public void closeRestored() throws IOException {
        Meter.stop();
        restored.close();
    }

    @TearDown
    public void deleteSavepoint() throws IOException {
        folder.close();
    }
}
