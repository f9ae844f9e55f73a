package io.drey.flink.state.keyed;

import io.drey.store.Store;
import io.drey.store.StoreStats;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** The gauges of a backend's store, in group {@code drey} of its operator; {@code docs/reference/metrics.md} lists them. */
final class StoreMetrics {
    private final Store store;
    private StoreStats last = new StoreStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private boolean closed;

    StoreMetrics(Store store) {
        this.store = store;
    }

    void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup("drey");
        gauge(group, "memoryBytesUsed", StoreStats::memoryBytes);
        gauge(group, "localBytes", StoreStats::localBytes);
        gauge(group, "runs", StoreStats::runs);
        gauge(group, "seals", StoreStats::seals);
        gauge(group, "merges", StoreStats::merges);
        gauge(group, "bytesSealed", StoreStats::bytesSealed);
        gauge(group, "bytesMerged", StoreStats::bytesMerged);
        gauge(group, "readIos", StoreStats::readIos);
        gauge(group, "stallMillis", stats -> TimeUnit.NANOSECONDS.toMillis(stats.stallNanos()));
    }

    private void gauge(MetricGroup group, String name, ToLongFunction<StoreStats> value) {
        group.<Long, Gauge<Long>>gauge(name, () -> value.applyAsLong(read()));
    }

    /** Reporters ask in their own thread, also for a moment after the backend is gone. */
    private synchronized StoreStats read() {
        if (!closed) {
            last = store.stats();
        }
        return last;
    }

    /** Keeps the last values; the store is not asked any more. */
    synchronized void close() {
        if (!closed) {
            last = store.stats();
            closed = true;
        }
    }
}
