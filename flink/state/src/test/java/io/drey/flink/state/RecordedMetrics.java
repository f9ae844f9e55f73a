package io.drey.flink.state;

import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.options.MetricLevel;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** A metric group that keeps what is registered in it and below it, by its name. */
final class RecordedMetrics extends UnregisteredMetricsGroup {
    private final Map<String, Metric> metrics;
    private final String prefix;

    RecordedMetrics() {
        this(new TreeMap<>(), "");
    }

    private RecordedMetrics(Map<String, Metric> metrics, String prefix) {
        this.metrics = metrics;
        this.prefix = prefix;
    }

    /** A backend that registers everything. */
    static DreyStateBackend backendWithAll() {
        Configuration options = new Configuration();
        options.set(DreyOptions.METRICS, MetricLevel.FULL);
        return new DreyStateBackend(options);
    }

    Map<String, Metric> all() {
        return metrics;
    }

    /** The value of a gauge or counter. */
    Object value(String name) {
        Metric metric = metrics.get(name);
        return metric instanceof Counter counter ? counter.getCount() : ((Gauge<?>) metric).getValue();
    }

    Histogram histogram(String name) {
        return (Histogram) metrics.get(name);
    }

    private <M extends Metric> M add(String name, M metric) {
        if (metrics.put(prefix + name, metric) != null) {
            throw new AssertionError("expected one metric " + prefix + name + ", found another one");
        }
        return metric;
    }

    @Override
    public <C extends Counter> C counter(String name, C counter) {
        return add(name, counter);
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
        return add(name, gauge);
    }

    @Override
    public <H extends Histogram> H histogram(String name, H histogram) {
        return add(name, histogram);
    }

    @Override
    public <M extends Meter> M meter(String name, M meter) {
        return add(name, meter);
    }

    @Override
    public MetricGroup addGroup(String name) {
        return new RecordedMetrics(metrics, prefix + name + ".");
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
        return addGroup(key).addGroup(value);
    }
}
