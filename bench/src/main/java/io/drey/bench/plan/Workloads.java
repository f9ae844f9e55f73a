package io.drey.bench.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/** The workloads that come with Drey: the jobs of the articles in which users tell what hurts, at their proportions. */
public final class Workloads {
    private static final int KB = 1 << 10;

    /** About the bytes of an entry of last-seen: 60 million are five times the memory of reference. */
    private static final double ENTRY_BYTES = 5.0 * Workload.REFERENCE_BYTES / 60_000_000;

    /** All of them, in the order of the report. */
    public static final List<Workload> ALL = List.of(
            lastSeen("last-seen", 60_000_000, "when each device last sent each type of event"),
            lastSeen("last-seen-small", 10_000_000, "when each device last sent each type of event"),
            lastSeen("last-seen-fits", 2_000_000, "when each device last sent each type of event"),
            lastSeen("last-seen-zipf", 60_000_000, "the same, but few devices send most")
                    .withKeys("zipf"),
            lastSeen("last-seen-committed", 2_000_000, "last-seen-fits with a sink that commits with checkpoints")
                    .withJob("last-seen-committed"),
            of("interval-join", "rows", size(250_000, 4.8), "Flink's interval join of two streams of large rows")
                    .withRows(KB, 4 * KB),
            of(
                    "sample-join",
                    "objects",
                    size(500_000, 2.6),
                    "three streams collected in one object per key, emitted by a timer"),
            of("sliding-window", "panes", size(4_000_000, 2.4), "an aggregate over sliding windows of 12 panes"),
            of(
                    "list-buffer",
                    "elements",
                    size(20_000_000, 3.6),
                    "events appended to a list per key, read and cleared by a timer"),
            of("regular-join", "rows", size(500_000, 2.3), "SQL join of two streams without a unique key")
                    .withRows(200, 1_000),
            of("deduplicate", "keys", size(10_000_000, 1.3), "SQL, the first row of each key, with a time to live"));

    private static Workload.Size size(long alive, double timesMemory) {
        return new Workload.Size(alive, timesMemory);
    }

    private static Workload lastSeen(String name, long alive, String purpose) {
        Workload.Size size = size(alive, alive * ENTRY_BYTES / Workload.REFERENCE_BYTES);
        return new Workload(name, name, "last-seen", purpose, "entries", size, "uniform", 0, 0);
    }

    /** A workload that is named as its job. */
    private static Workload of(String job, String unit, Workload.Size size, String purpose) {
        return new Workload(job, job, job, purpose, unit, size, "uniform", 0, 0);
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

    /**
     * Each workload with state of so many times the memory; of several scales each in turn, and their names say which.
     *
     * @param scales none for the usual sizes
     * @throws IllegalArgumentException if one comes twice
     */
    public static List<Workload> scaled(List<Workload> workloads, List<Double> scales) {
        if (scales.isEmpty()) {
            return workloads;
        }
        if (new HashSet<>(scales).size() < scales.size()) {
            throw new IllegalArgumentException("A scale is given twice: " + scales + ".");
        }
        List<Workload> scaled = new ArrayList<>();
        for (Workload workload : workloads) {
            for (double scale : scales) {
                scaled.add(workload.scaled(scale, scales.size() > 1));
            }
        }
        return List.copyOf(scaled);
    }

    private static Workload named(String name) {
        return ALL.stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no workload '" + name + "'; expected "
                        + ALL.stream().map(Workload::name).collect(Collectors.joining(", ")) + "."));
    }
}
