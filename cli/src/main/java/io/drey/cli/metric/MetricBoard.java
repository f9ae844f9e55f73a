package io.drey.cli.metric;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;

/**
 * All gauges of this process, by name. Flink makes the reporter itself, from the name of a class, so that the board has to
 * be one for the process; Flink's threads add and remove, the command reads.
 */
public final class MetricBoard {
    private record Entry(String identifier, String subtask, Gauge<?> gauge) {}

    private static final String SUBTASK = "<subtask_index>";

    private static final Map<Metric, Entry> ENTRIES = new ConcurrentHashMap<>();

    private MetricBoard() {}

    static void add(Metric metric, String name, MetricGroup group) {
        if (metric instanceof Gauge<?> gauge) {
            String subtask = group.getAllVariables().getOrDefault(SUBTASK, "");
            ENTRIES.put(metric, new Entry(group.getMetricIdentifier(name), subtask, gauge));
        }
    }

    static void remove(Metric metric) {
        ENTRIES.remove(metric);
    }

    /** How many gauges there are whose full name ends so. */
    public static int count(String suffix) {
        int count = 0;
        for (Entry entry : ENTRIES.values()) {
            if (entry.identifier().endsWith(suffix)) {
                count++;
            }
        }
        return count;
    }

    /** The sum of all gauges whose full name ends so; empty if there are none. */
    public static OptionalLong sum(String suffix) {
        long sum = 0;
        boolean found = false;
        for (Entry entry : ENTRIES.values()) {
            if (entry.identifier().endsWith(suffix) && entry.gauge().getValue() instanceof Number number) {
                sum += number.longValue();
                found = true;
            }
        }
        return found ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    /**
     * As {@link #sum}, but of each subtask only the largest: for a value that a subtask reports once per state although it
     * is one and the same.
     */
    public static OptionalLong sumOfLargestPerSubtask(String suffix) {
        Map<String, Long> largest = new HashMap<>();
        for (Entry entry : ENTRIES.values()) {
            if (entry.identifier().endsWith(suffix) && entry.gauge().getValue() instanceof Number number) {
                largest.merge(entry.subtask(), number.longValue(), Math::max);
            }
        }
        return largest.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        largest.values().stream().mapToLong(Long::longValue).sum());
    }
}
