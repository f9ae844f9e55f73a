package io.drey.flink.state.metric;

import io.drey.files.IoCounts;
import io.drey.flink.state.options.DreyVersion;
import io.drey.foundation.Arena;
import io.drey.store.Store;
import io.drey.store.memory.SlotMemory;
import io.drey.store.stats.StoreStats;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

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

    public void register(MetricSink drey) {
        drey.text("version", DreyVersion::text);
        registerMemory(drey);
        gauge(drey, "localBytes", StoreStats::localBytes);
        gauge(drey, "runs", stats -> stats.runs().count());
        gauge(drey, "youngRuns", stats -> stats.runs().young().count());
        gauge(drey, "youngBytes", stats -> stats.runs().young().bytes());
        gauge(drey, "levelRuns", stats -> stats.runs().levels().count());
        gauge(drey, "levelBytes", stats -> stats.runs().levels().bytes());
        gauge(drey, "valueLogBytes", stats -> stats.values().logBytes());
        gauge(drey, "valueLogBytesLive", stats -> stats.values().logBytesLive());
        counter(drey, "valueLogsDropped", stats -> stats.values().logsDropped());
        counter(drey, "valuesSeparated", stats -> stats.values().separated());
        counter(drey, "valuesCompressed", stats -> stats.values().compressed());
        counter(drey, "valuesRead", stats -> stats.values().read());
        counter(drey, "bytesRelocated", stats -> stats.values().bytesRelocated());
        counter(drey, "flushes", stats -> stats.jobs().flushes());
        counter(drey, "compactions", stats -> stats.jobs().compactions());
        counter(drey, "bytesFlushed", stats -> stats.jobs().bytesFlushed());
        counter(drey, "youngBytesCompacted", stats -> stats.jobs().youngBytesCompacted());
        counter(drey, "levelBytesCompacted", stats -> stats.jobs().levelBytesCompacted());
        counter(drey, "entriesExpired", stats -> stats.jobs().entriesExpired());
        counter(drey, "runsExpired", stats -> stats.jobs().runsExpired());
        counter(drey, "stalls", stats -> stats.jobs().stalls());
        counter(
                drey,
                "stallMillis",
                stats -> TimeUnit.NANOSECONDS.toMillis(stats.jobs().stallNanos()));
        drey.ratio("compactionBacklog", () -> read().jobs().backlog());
        drey.ratio("writeAmplification", () -> read().writeAmplification());
        registerIo(drey, "foreground", stats -> stats.io().foreground());
        counter(
                drey,
                "foregroundReadMillis",
                stats -> TimeUnit.NANOSECONDS.toMillis(stats.io().foregroundReadNanos()));
        registerIo(drey, "flush", stats -> stats.io().flush());
        registerIo(drey, "compaction", stats -> stats.io().compaction());
        registerIo(drey, "checkpoint", stats -> checkpointIo());
        registerCache(drey, "blockCache", stats -> stats.caches().blocks());
        registerCache(drey, "compressedBlockCache", stats -> stats.caches().compressed());
        registerCache(drey, "filterCache", stats -> stats.caches().filters());
        registerCache(drey, "indexCache", stats -> stats.caches().indexes());
        counter(drey, "filterNegatives", stats -> stats.caches().filterNegatives());
        counter(drey, "filterErrors", stats -> stats.caches().filterErrors());
        counter(drey, "emptyBlockSearches", stats -> stats.caches().emptySearches());
        RecentRatio errors = new RecentRatio(
                () -> read().caches().filterErrors(), () -> read().caches().filterNegatives());
        drey.ratio("filterErrorRatio", errors::getValue);
        for (String rule : read().tuning().reasons().keySet()) {
            drey.text("tuning" + rule, () -> read().tuning().reasons().get(rule));
        }
    }

    private void registerMemory(MetricSink drey) {
        gauge(drey, "memoryBytesUsed", stats -> stats.log().memoryBytes());
        for (Arena.Use use : Arena.Use.values()) {
            String name = use.name().charAt(0) + use.name().substring(1).toLowerCase(Locale.ROOT);
            drey.gauge("memory" + name + "Bytes", () -> memory.arena().usedBytes(use));
        }
        drey.gauge(
                "memoryFreeBytes",
                () -> (long) memory.arena().freePages() * memory.arena().pageBytes());
        drey.gauge("memoryBorrowedBytes", () -> memory.overdraft().bytes());
    }

    private void registerIo(MetricSink drey, String cause, Function<StoreStats, StoreStats.Io> io) {
        counter(drey, cause + "Reads", stats -> io.apply(stats).reads());
        counter(drey, cause + "BytesRead", stats -> io.apply(stats).bytesRead());
        counter(drey, cause + "Writes", stats -> io.apply(stats).writes());
        counter(drey, cause + "BytesWritten", stats -> io.apply(stats).bytesWritten());
    }

    private StoreStats.Io checkpointIo() {
        return new StoreStats.Io(
                checkpoint.reads(), checkpoint.bytesRead(), checkpoint.writes(), checkpoint.bytesWritten());
    }

    private void registerCache(MetricSink drey, String name, Function<StoreStats, StoreStats.Cache> cache) {
        LongSupplier hits = () -> cache.apply(read()).hits();
        LongSupplier misses = () -> cache.apply(read()).misses();
        drey.counter(name + "Hits", hits);
        drey.counter(name + "Misses", misses);
        drey.ratio(name + "HitRatio", new RecentRatio(hits, misses)::getValue);
    }

    private void gauge(MetricSink drey, String name, ToLongFunction<StoreStats> value) {
        drey.gauge(name, () -> value.applyAsLong(read()));
    }

    private void counter(MetricSink drey, String name, ToLongFunction<StoreStats> value) {
        drey.counter(name, () -> value.applyAsLong(read()));
    }

    /** Reporters ask in their own thread, also for a moment after the backend is gone. */
    public synchronized StoreStats read() {
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
