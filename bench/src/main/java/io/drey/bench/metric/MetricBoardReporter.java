package io.drey.bench.metric;

import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;

/** Puts gauges and counters on the {@link MetricBoard} and takes them off. */
final class MetricBoardReporter implements MetricReporter {
    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        MetricBoard.add(metric, name, group);
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        MetricBoard.remove(metric);
    }
}
