package io.drey.bench.metric;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Found by Flink through the service file beside these classes, and selected by its name in the configuration. */
public final class MetricBoardReporterFactory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return new MetricBoardReporter();
    }
}
