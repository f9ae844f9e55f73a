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

    /** Gauges of a store; {@code checkpoint} are the reads of its files, and the writes elsewhere, that checkpoints make. */
    public StoreMetrics(Store store, SlotMemory memory, IoCounts checkpoint) {
        this.store = store;
        this.memory = memory;
        this.checkpoint = checkpoint;
    }

    public void register(MetricGroup drey) {
        registerMemory(drey);
        gauge(drey, "localBytes", StoreStats::localBytes);
        gauge(drey, "runs", StoreStats::runs);
        gauge(drey, "youngRuns", stats -> stats.young().count());
        gauge(drey, "youngBytes", stats -> stats.young().bytes());
        gauge(drey, "levelRuns", stats -> stats.levels().count());
        gauge(drey, "levelBytes", stats -> stats.levels().bytes());
        gauge(drey, "valueLogBytes", StoreStats::valueLogBytes);
        gauge(drey, "valueLogBytesLive", StoreStats::valueLogBytesLive);
        gauge(drey, "valueLogsDropped", StoreStats::valueLogsDropped);
        gauge(drey, "valuesSeparated", StoreStats::valuesSeparated);
        gauge(drey, "valuesCompressed", StoreStats::valuesCompressed);
        gauge(drey, "valuesRead", StoreStats::valuesRead);
        gauge(drey, "bytesRelocated", StoreStats::bytesRelocated);
        gauge(drey, "flushes", StoreStats::flushes);
        gauge(drey, "compactions", StoreStats::compactions);
        gauge(drey, "entriesExpired", StoreStats::entriesExpired);
        gauge(drey, "runsExpired", StoreStats::runsExpired);
        gauge(drey, "stalls", StoreStats::stalls);
        gauge(drey, "stallMillis", stats -> TimeUnit.NANOSECONDS.toMillis(stats.stallNanos()));
        drey.<Double, Gauge<Double>>gauge("writeAmplification", () -> read().writeAmplification());
        registerIo(drey, "foreground", StoreStats::foreground);
        registerIo(drey, "flush", StoreStats::flush);
        registerIo(drey, "compaction", StoreStats::compaction);
        registerIo(drey, "checkpoint", stats -> checkpointIo());
        registerCache(drey, "blockCache", StoreStats::blocks);
        registerCache(drey, "compressedBlockCache", StoreStats::compressed);
        registerCache(drey, "filterCache", StoreStats::filters);
        gauge(drey, "filterNegatives", StoreStats::filterNegatives);
        gauge(drey, "filterErrors", StoreStats::filterErrors);
        drey.gauge("filterErrorRatio", new RecentRatio(() -> read().filterErrors(), () -> read().filterNegatives()));
    }

    private void registerMemory(MetricGroup drey) {
        gauge(drey, "memoryBytesUsed", StoreStats::memoryBytes);
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
