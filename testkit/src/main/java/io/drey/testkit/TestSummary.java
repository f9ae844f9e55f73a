package io.drey.testkit;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** The counts of what a test did, by name and from any thread, which it prints as one line. */
public final class TestSummary {
    private final String test;
    private final Map<String, LongAdder> counts = new TreeMap<>();

    public TestSummary(Class<?> test) {
        this(test.getSimpleName());
    }

    TestSummary(String test) {
        this.test = test;
    }

    /** So much more of it was done. */
    public void add(String what, long count) {
        LongAdder adder;
        synchronized (counts) {
            adder = counts.computeIfAbsent(what, absent -> new LongAdder());
        }
        adder.add(count);
    }

    /** So much of it was done so far. */
    public long of(String what) {
        synchronized (counts) {
            LongAdder adder = counts.get(what);
            return adder == null ? 0 : adder.sum();
        }
    }

    /** The line. */
    @Override
    public String toString() {
        synchronized (counts) {
            return "did " + Effort.current().name().toLowerCase(Locale.ROOT) + " " + test + ": "
                    + counts.entrySet().stream()
                            .map(count -> String.format(
                                    Locale.ROOT, "%,d %s", count.getValue().sum(), count.getKey()))
                            .collect(Collectors.joining(", "));
        }
    }

    /** Prints the line. */
    public void print() {
        System.out.println(this);
    }
}
