package io.drey.flink.state.metric;

import io.drey.flink.state.options.MetricLevel;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.MetricGroup;

/**
 * A group of metrics, into which only those go that the level wants. Names of the basic ones are here, so that one look
 * shows what a job has by default; {@code docs/reference/metrics.md} marks them.
 */
public final class MetricSink {
    private static final Set<String> BASIC = Set.of(
            "version",
            "memoryBytesUsed",
            "memoryFreeBytes",
            "stalls",
            "stallMillis",
            "localBytes",
            "youngRuns",
            "compactionBacklog",
            "stateReads",
            "stateWrites",
            "foregroundReads",
            "foregroundReadMillis",
            "flushBytesWritten",
            "compactionBytesRead",
            "compactionBytesWritten",
            "checkpointBytesWritten",
            "restoreBytesLeft",
            "writeAmplification",
            "blockCacheHitRatio",
            "objectCacheHitRatio",
            "filterErrorRatio",
            "directoriesUnusable",
            "directoryUsableBytesMin",
            "directoryFullnessMax",
            "directoryLatencyNanosMax");

    private final MetricGroup group;
    private final MetricLevel level;

    /** A sink into a backend's group. */
    public MetricSink(MetricGroup group, MetricLevel level) {
        this.group = group;
        this.level = level;
    }

    private boolean wants(String name) {
        return switch (level) {
            case OFF -> false;
            case BASIC -> BASIC.contains(name);
            case FULL -> true;
        };
    }

    /** A count that only grows. */
    void counter(String name, LongSupplier value) {
        if (wants(name)) {
            group.counter(name, new ReadCounter(value));
        }
    }

    /** A size or number of now. */
    void gauge(String name, LongSupplier value) {
        if (wants(name)) {
            group.<Long, Gauge<Long>>gauge(name, value::getAsLong);
        }
    }

    /** A ratio of now or of late. */
    void ratio(String name, DoubleSupplier value) {
        if (wants(name)) {
            group.<Double, Gauge<Double>>gauge(name, value::getAsDouble);
        }
    }

    void text(String name, Supplier<String> value) {
        if (wants(name)) {
            group.<String, Gauge<String>>gauge(name, value::get);
        }
    }

    void meter(String name, Meter meter) {
        if (wants(name)) {
            group.meter(name, meter);
        }
    }

    void histogram(String name, SampledHistogram histogram) {
        group.histogram(name, histogram);
    }

    boolean isFull() {
        return level == MetricLevel.FULL;
    }

    /** A group below this one, with everything in it. */
    MetricSink full(String key, String value) {
        return new MetricSink(group.addGroup(key, value), MetricLevel.FULL);
    }

    /** A count that is kept elsewhere: reporters read it, nobody counts here. */
    private record ReadCounter(LongSupplier value) implements Counter {
        @Override
        public long getCount() {
            return value.getAsLong();
        }

        @Override
        public void inc() {
            throw readOnly();
        }

        @Override
        public void inc(long n) {
            throw readOnly();
        }

        @Override
        public void dec() {
            throw readOnly();
        }

        @Override
        public void dec(long n) {
            throw readOnly();
        }

        private static UnsupportedOperationException readOnly() {
            return new UnsupportedOperationException("expected this counter of Drey to be read only");
        }
    }
}
