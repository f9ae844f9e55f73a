package io.drey.bench.metric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricBoardTest {
    private static final String TASK = "<task_name>";
    private static final String OPERATOR = "<operator_name>";
    private static final String SUBTASK = "<subtask_index>";

    private final List<Metric> added = new ArrayList<>();

    @AfterEach
    void takeOff() {
        added.forEach(MetricBoard::remove);
    }

    @Test
    void gaugesAndCountersOfOneNameAreAddedUp() {
        gauge("position", 5L, Map.of(SUBTASK, "0"));
        gauge("position", 7L, Map.of(SUBTASK, "1"));
        counter("position", 100, Map.of(SUBTASK, "2"));
        gauge("other", 1000L, Map.of());

        assertThat(MetricBoard.sum(".position")).isEqualTo(OptionalLong.of(112));
        assertThat(MetricBoard.count(".position")).isEqualTo(3);
        assertThat(MetricBoard.sum(".nothing")).isEmpty();
    }

    @Test
    void whatASubtaskRepeatsForEachStateCountsOnce() {
        gauge("usage", 5L, Map.of(SUBTASK, "0"));
        gauge("usage", 6L, Map.of(SUBTASK, "0"));
        gauge("usage", 1L, Map.of(SUBTASK, "1"));

        assertThat(MetricBoard.sumOfLargestPerSubtask(".usage")).isEqualTo(OptionalLong.of(7));
    }

    @Test
    void recordsAreThoseOfTasksBehindSources() {
        assertThat(MetricBoard.recordsRead()).isEmpty();

        counter("numRecordsIn", 1, Map.of(TASK, "Source: load"));
        counter("numRecordsIn", 20, Map.of(TASK, "join -> digest"));
        counter("numRecordsIn", 300, Map.of(TASK, "join -> digest", OPERATOR, "digest"));
        counter("numRecordsOut", 4000, Map.of(TASK, "join -> digest"));
        counter("numRecordsIn", 50_000, Map.of());

        assertThat(MetricBoard.recordsRead()).isEqualTo(OptionalLong.of(20));
    }

    @Test
    void whatIsTakenOffIsGone() {
        counter("numRecordsIn", 1, Map.of(TASK, "join"));
        takeOff();

        assertThat(MetricBoard.recordsRead()).isEmpty();
    }

    private void gauge(String name, long value, Map<String, String> variables) {
        add((Gauge<Long>) () -> value, name, variables);
    }

    private void counter(String name, long value, Map<String, String> variables) {
        Counter counter = new SimpleCounter();
        counter.inc(value);
        add(counter, name, variables);
    }

    private void add(Metric metric, String name, Map<String, String> variables) {
        MetricGroup group = new UnregisteredMetricsGroup() {
            @Override
            public Map<String, String> getAllVariables() {
                return variables;
            }

            @Override
            public String getMetricIdentifier(String metricName) {
                return "here." + metricName;
            }
        };
        MetricBoard.add(metric, name, group);
        added.add(metric);
    }
}
