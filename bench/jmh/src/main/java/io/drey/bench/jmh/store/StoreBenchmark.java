package io.drey.bench.jmh.store;

import io.drey.bench.jmh.setup.Folder;
import io.drey.bench.jmh.setup.MeteredBenchmark;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The base of benchmarks at the store's interface: the contender, its memory and folder, values of noise that is the
 * same but for three bytes, and keys drawn at random. Making a key is part of every operation, for every contender.
 */
public abstract class StoreBenchmark extends MeteredBenchmark {
    /** Memory of a contender whose state fits. */
    static final long LARGE_MEMORY_BYTES = 1L << 30;

    private static final int VALUE_BYTES_MAX = 1 << 10;

    @Param({"drey", "rocksdb", "rocksdb-tuned"})
    public String contender;

    final RecordKey key = new RecordKey();
    final byte[] value = new byte[VALUE_BYTES_MAX];
    ByteStore store;
    private Folder folder;

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

    /** Another value for every record, of the same noise. */
    final byte[] value(int number) {
        value[0] = (byte) number;
        value[1] = (byte) (number >>> 8);
        value[2] = (byte) (number >>> 16);
        return value;
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
