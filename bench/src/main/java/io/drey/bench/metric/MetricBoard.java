package io.drey.bench.metric;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;

/**
 * All gauges and counters of this process, by name. Flink makes the reporter itself, from the name of a class, so that
 * the board has to be one for the process; Flink's threads add and remove, the command reads.
 */
public final class MetricBoard {
    /**
     * A gauge or counter in its place.
     *
     * @param name the last part of the identifier
     * @param task name of its task, empty if it belongs to none
     * @param operator name of its operator, empty if it belongs to a whole task or to no task
     */
    private record Entry(String identifier, String name, String task, String operator, String subtask, Metric metric) {
        /** Its value as a whole number; empty if it is none. */
        OptionalLong value() {
            if (metric instanceof Counter counter) {
                return OptionalLong.of(counter.getCount());
            }
            return metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
                    ? OptionalLong.of(number.longValue())
                    : OptionalLong.empty();
        }
    }

    private static final String TASK = "<task_name>";
    private static final String OPERATOR = "<operator_name>";
    private static final String SUBTASK = "<subtask_index>";
    private static final String SOURCE_PREFIX = "Source: ";
    private static final String RECORDS_IN = "numRecordsIn";

    private static final Map<Metric, Entry> ENTRIES = new ConcurrentHashMap<>();

    private MetricBoard() {}

    static void add(Metric metric, String name, MetricGroup group) {
        if (metric instanceof Gauge<?> || metric instanceof Counter) {
            Map<String, String> variables = group.getAllVariables();
            ENTRIES.put(
                    metric,
                    new Entry(
                            group.getMetricIdentifier(name),
                            name,
                            variables.getOrDefault(TASK, ""),
                            variables.getOrDefault(OPERATOR, ""),
                            variables.getOrDefault(SUBTASK, ""),
                            metric));
        }
    }

    static void remove(Metric metric) {
        ENTRIES.remove(metric);
    }

    private static Stream<Entry> ending(String suffix) {
        return ENTRIES.values().stream().filter(entry -> entry.identifier().endsWith(suffix));
    }

    /** How many gauges and counters there are whose full name ends so. */
    public static int count(String suffix) {
        return (int) ending(suffix).count();
    }

    /** The sum of all gauges and counters whose full name ends so; empty if there are none. */
    public static OptionalLong sum(String suffix) {
        return sum(ending(suffix));
    }

    private static OptionalLong sum(Stream<Entry> entries) {
        long sum = 0;
        boolean found = false;
        for (Entry entry : entries.toList()) {
            OptionalLong value = entry.value();
            sum += value.orElse(0);
            found |= value.isPresent();
        }
        return found ? OptionalLong.of(sum) : OptionalLong.empty();
    }

    /**
     * As {@link #sum}, but of each subtask only the largest: for a value that a subtask reports once per state although
     * it is one and the same.
     */
    public static OptionalLong sumOfLargestPerSubtask(String suffix) {
        Map<String, Long> largest = new HashMap<>();
        ending(suffix)
                .forEach(entry -> entry.value().ifPresent(value -> largest.merge(entry.subtask(), value, Math::max)));
        return largest.values().stream().reduce(Long::sum).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Records that all tasks after the sources have read, from all of their inputs; empty if no such task is there. */
    public static OptionalLong recordsRead() {
        // A task counts as a whole, and each of its operators counts again.
        return sum(ENTRIES.values().stream()
                .filter(entry -> entry.name().equals(RECORDS_IN)
                        && !entry.task().isEmpty()
                        && !entry.task().startsWith(SOURCE_PREFIX)
                        && entry.operator().isEmpty()));
    }
}
