package io.drey.bench.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The workloads that come with Drey: the jobs of the articles in which users tell what hurts, at their proportions. */
public final class Workloads {
    private static final String UNIFORM = "uniform";
    private static final String ZIPF = "zipf";

    /** All of them, in the order of the report. */
    public static final List<Workload> ALL = List.of(
            new Workload(
                    "last-seen",
                    "last-seen",
                    "when each device last sent each type of event; state 5 times the memory",
                    "entries",
                    60_000_000,
                    UNIFORM,
                    0,
                    0),
            new Workload(
                    "last-seen-small",
                    "last-seen",
                    "when each device last sent each type of event; state about as large as the memory",
                    "entries",
                    10_000_000,
                    UNIFORM,
                    0,
                    0),
            new Workload(
                    "last-seen-fits",
                    "last-seen",
                    "when each device last sent each type of event; state fits in memory",
                    "entries",
                    2_000_000,
                    UNIFORM,
                    0,
                    0),
            new Workload(
                    "last-seen-zipf",
                    "last-seen",
                    "when each device last sent each type of event; few devices send most",
                    "entries",
                    60_000_000,
                    ZIPF,
                    0,
                    0),
            new Workload(
                    "interval-join",
                    "interval-join",
                    "Flink's interval join of two streams of large rows",
                    "rows",
                    250_000,
                    UNIFORM,
                    1 << 10,
                    4 << 10),
            new Workload(
                    "sample-join",
                    "sample-join",
                    "three streams collected in one object per key, emitted by a timer",
                    "objects",
                    500_000,
                    UNIFORM,
                    0,
                    0),
            new Workload(
                    "sliding-window",
                    "sliding-window",
                    "an aggregate over sliding windows of 12 panes",
                    "panes",
                    4_000_000,
                    UNIFORM,
                    0,
                    0),
            new Workload(
                    "list-buffer",
                    "list-buffer",
                    "events appended to a list per key, read and cleared by a timer",
                    "elements",
                    20_000_000,
                    UNIFORM,
                    0,
                    0),
            new Workload(
                    "regular-join",
                    "regular-join",
                    "SQL join of two streams without a unique key",
                    "rows",
                    500_000,
                    UNIFORM,
                    200,
                    1_000),
            new Workload(
                    "deduplicate",
                    "deduplicate",
                    "SQL, the first row of each key, with a time to live",
                    "keys",
                    10_000_000,
                    UNIFORM,
                    0,
                    0));

    /** The three of a quick run, in which the heap backend must restore its state within seconds. */
    public static final List<Workload> QUICK = named(List.of("last-seen-small", "interval-join", "sample-join"));

    private Workloads() {}

    /**
     * The workloads of these names, in this order.
     *
     * @throws IllegalArgumentException if there is none of a name, or a name comes twice; the message lists all
     */
    public static List<Workload> named(List<String> names) {
        List<Workload> found = new ArrayList<>();
        for (String name : names) {
            Workload workload = named(name);
            if (found.contains(workload)) {
                throw new IllegalArgumentException("The workload " + name + " is named twice.");
            }
            found.add(workload);
        }
        return List.copyOf(found);
    }

    private static Workload named(String name) {
        return ALL.stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no workload '" + name + "'; expected "
                        + ALL.stream().map(Workload::name).collect(Collectors.joining(", ")) + "."));
    }

    /** The workloads in a list separated by commas. */
    public static List<Workload> listed(String names) {
        return named(Arrays.stream(names.split(",")).map(String::strip).toList());
    }
}
