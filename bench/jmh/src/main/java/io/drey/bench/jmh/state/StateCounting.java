package io.drey.bench.jmh.state;

import io.drey.bench.jmh.setup.MeteredBenchmark;
import io.drey.flink.state.metric.StateCounters;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The cost that the metrics of a state, which are always on, add to its operations: the same draw of a number, not
 * counted, counted as a read, and counted as a read and a write.
 */
public class StateCounting extends MeteredBenchmark {
    private static final int BYTES_MAX = 1000;

    /** These are the counters of Drey. */
    @Param("drey")
    public String contender;

    private final EntryKey key = new EntryKey();
    private StateCounters counters;

    @Setup
    public void open() {
        counters = new StateCounters();
        Bytes part = new Bytes();
        part.append((byte) 1);
        key.row(1, 0, part, new Bytes());
    }

    @Benchmark
    public int notCounted() {
        return draw(BYTES_MAX);
    }

    @Benchmark
    public int readCounted() {
        int bytes = draw(BYTES_MAX);
        counters.got(counters.begin(), bytes > 0, key, bytes);
        return bytes;
    }

    @Benchmark
    public int readAndWriteCounted() {
        int bytes = draw(BYTES_MAX);
        counters.got(counters.begin(), bytes > 0, key, bytes);
        counters.put(counters.begin(), key, bytes);
        return bytes;
    }
}
