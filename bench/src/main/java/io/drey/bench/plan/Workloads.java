package io.drey.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The workloads that come with Drey: the jobs of the articles in which users tell what hurts, at their proportions. */
public final class Workloads {
    private static final String LAST_SEEN = "when each device last sent each type of event; ";
    private static final int KB = 1 << 10;

    /** All of them, in the order of the report. */
    public static final List<Workload> ALL = List.of(
            lastSeen("last-seen", 60_000_000, "state 5 times the memory"),
            lastSeen("last-seen-small", 10_000_000, "state about as large as the memory"),
            lastSeen("last-seen-fits", 2_000_000, "state fits in memory"),
            lastSeen("last-seen-zipf", 60_000_000, "few devices send most").withKeys("zipf"),
            of("interval-join", 250_000, "rows", "Flink's interval join of two streams of large rows")
                    .withRows(KB, 4 * KB),
            of("sample-join", 500_000, "objects", "three streams collected in one object per key, emitted by a timer"),
            of("sliding-window", 4_000_000, "panes", "an aggregate over sliding windows of 12 panes"),
            of("list-buffer", 20_000_000, "elements", "events appended to a list per key, read and cleared by a timer"),
            of("regular-join", 500_000, "rows", "SQL join of two streams without a unique key")
                    .withRows(200, 1_000),
            of("deduplicate", 10_000_000, "keys", "SQL, the first row of each key, with a time to live"));

    private static Workload lastSeen(String name, long alive, String purpose) {
        return new Workload(name, "last-seen", LAST_SEEN + purpose, "entries", alive, "uniform", 0, 0);
    }

    /** A workload that is named as its job. */
    private static Workload of(String job, long alive, String unit, String purpose) {
        return new Workload(job, job, purpose, unit, alive, "uniform", 0, 0);
    }

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
}
