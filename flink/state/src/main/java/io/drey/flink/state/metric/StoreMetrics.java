package io.drey.flink.state.metric;

import io.drey.files.IoCounts;
import io.drey.foundation.Arena;
import io.drey.store.Store;
import io.drey.store.memory.SlotMemory;
import io.drey.store.stats.StoreStats;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** The gauges of a backend's store and of its slot's memory; {@code docs/reference/metrics.md} lists them. */
public final class StoreMetrics {
    private final Store store;
    private final SlotMemory memory;
    private final IoCounts checkpoint;
    private StoreStats last;
    private boolean closed;

    /**
     * Gauges of a store; {@code checkpoint} are the reads of its files, and the writes elsewhere, that checkpoints
     * make.
     */
    public StoreMetrics(Store store, SlotMemory memory, IoCounts checkpoint) {
        this.store = store;
        this.memory = memory;
        this.checkpoint = checkpoint;
    }

    public void register(MetricGroup drey) {
        registerMemory(drey);
        gauge(drey, "localBytes", StoreStats::localBytes);
        gauge(drey, "runs", stats -> stats.runs().count());
        gauge(drey, "youngRuns", stats -> stats.runs().young().count());
        gauge(drey, "youngBytes", stats -> stats.runs().young().bytes());
        gauge(drey, "levelRuns", stats -> stats.runs().levels().count());
        gauge(drey, "levelBytes", stats -> stats.runs().levels().bytes());
        gauge(drey, "valueLogBytes", stats -> stats.values().logBytes());
        gauge(drey, "valueLogBytesLive", stats -> stats.values().logBytesLive());
        gauge(drey, "valueLogsDropped", stats -> stats.values().logsDropped());
        gauge(drey, "valuesSeparated", stats -> stats.values().separated());
        gauge(drey, "valuesCompressed", stats -> stats.values().compressed());
        gauge(drey, "valuesRead", stats -> stats.values().read());
        gauge(drey, "bytesRelocated", stats -> stats.values().bytesRelocated());
        gauge(drey, "flushes", stats -> stats.jobs().flushes());
        gauge(drey, "compactions", stats -> stats.jobs().compactions());
        gauge(drey, "entriesExpired", stats -> stats.jobs().entriesExpired());
        gauge(drey, "runsExpired", stats -> stats.jobs().runsExpired());
        gauge(drey, "stalls", stats -> stats.jobs().stalls());
        gauge(
                drey,
                "stallMillis",
                stats -> TimeUnit.NANOSECONDS.toMillis(stats.jobs().stallNanos()));
        drey.<Double, Gauge<Double>>gauge("writeAmplification", () -> read().writeAmplification());
        registerIo(drey, "foreground", stats -> stats.io().foreground());
        registerIo(drey, "flush", stats -> stats.io().flush());
        registerIo(drey, "compaction", stats -> stats.io().compaction());
        registerIo(drey, "checkpoint", stats -> checkpointIo());
        registerCache(drey, "blockCache", stats -> stats.caches().blocks());
        registerCache(drey, "compressedBlockCache", stats -> stats.caches().compressed());
        registerCache(drey, "filterCache", stats -> stats.caches().filters());
        registerCache(drey, "indexCache", stats -> stats.caches().indexes());
        gauge(drey, "filterNegatives", stats -> stats.caches().filterNegatives());
        gauge(drey, "filterErrors", stats -> stats.caches().filterErrors());
        drey.gauge(
                "filterErrorRatio",
                new RecentRatio(
                        () -> read().caches().filterErrors(),
                        () -> read().caches().filterNegatives()));
    }

    private void registerMemory(MetricGroup drey) {
        gauge(drey, "memoryBytesUsed", stats -> stats.log().memoryBytes());
        for (Arena.Use use : Arena.Use.values()) {
            String name = use.name().charAt(0) + use.name().substring(1).toLowerCase(Locale.ROOT);
            gauge(drey, "memory" + name + "Bytes", () -> memory.arena().usedBytes(use));
        }
        gauge(
                drey,
                "memoryFreeBytes",
                () -> (long) memory.arena().freePages() * memory.arena().pageBytes());
        gauge(drey, "memoryBorrowedBytes", () -> memory.overdraft().bytes());
    }

    private void registerIo(MetricGroup drey, String cause, Function<StoreStats, StoreStats.Io> io) {
        gauge(drey, cause + "Reads", stats -> io.apply(stats).reads());
        gauge(drey, cause + "BytesRead", stats -> io.apply(stats).bytesRead());
        gauge(drey, cause + "Writes", stats -> io.apply(stats).writes());
        gauge(drey, cause + "BytesWritten", stats -> io.apply(stats).bytesWritten());
    }

    private StoreStats.Io checkpointIo() {
        return new StoreStats.Io(
                checkpoint.reads(), checkpoint.bytesRead(), checkpoint.writes(), checkpoint.bytesWritten());
    }

    private void registerCache(MetricGroup drey, String name, Function<StoreStats, StoreStats.Cache> cache) {
        LongSupplier hits = () -> cache.apply(read()).hits();
        LongSupplier misses = () -> cache.apply(read()).misses();
        gauge(drey, name + "Hits", hits);
        gauge(drey, name + "Misses", misses);
        drey.gauge(name + "HitRatio", new RecentRatio(hits, misses));
    }

    private void gauge(MetricGroup drey, String name, ToLongFunction<StoreStats> value) {
        gauge(drey, name, () -> value.applyAsLong(read()));
    }

    private static void gauge(MetricGroup drey, String name, LongSupplier value) {
        drey.<Long, Gauge<Long>>gauge(name, value::getAsLong);
    }

    /** Reporters ask in their own thread, also for a moment after the backend is gone. */
    private synchronized StoreStats read() {
        if (!closed) {
            last = store.stats();
        }
        return last;
    }

    /** Keeps the last values; the store is not asked any more. */
    public synchronized void close() {
        if (!closed) {
            last = store.stats();
            closed = true;
        }
    }
}
