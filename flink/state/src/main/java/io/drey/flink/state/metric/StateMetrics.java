package io.drey.flink.state.metric;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/**
 * Makes the counters of states and registers them: their sums, and those of each state in group {@code state.<name>} of
 * the backend's as far as they are wanted.
 */
public final class StateMetrics {
    private final MetricSink drey;
    private final boolean histograms;

    /** Reporters add up while the task's thread registers states. */
    private final List<StateCounters> all = new CopyOnWriteArrayList<>();

    /**
     * States below the group of a backend.
     *
     * @param histograms whether each state has histograms although the level is not full
     */
    public StateMetrics(MetricSink drey, boolean histograms) {
        this.drey = drey;
        this.histograms = histograms;
        drey.counter(
                "stateReads", () -> sum(counters -> counters.getHits() + counters.getAbsents() + counters.seeks()));
        drey.counter("stateWrites", () -> sum(counters -> counters.puts() + counters.deletes()));
    }

    private long sum(ToLongFunction<StateCounters> count) {
        return all.stream().mapToLong(count).sum();
    }

    /** The counters of a state, registered under its name. */
    public StateCounters of(String state) {
        StateCounters counters = new StateCounters();
        all.add(counters);
        if (drey.isFull() || histograms) {
            MetricSink group = drey.full("state", state);
            if (drey.isFull()) {
                counts(group, counters);
            }
            histograms(group, counters);
        }
        return counters;
    }

    private static void counts(MetricSink group, StateCounters counters) {
        group.counter("getHits", counters::getHits);
        group.counter("getAbsents", counters::getAbsents);
        group.counter("puts", counters::puts);
        group.counter("deletes", counters::deletes);
        group.counter("writeBacks", counters::writeBacks);
        group.counter("seeks", counters::seeks);
        group.counter("nexts", counters::nexts);
        group.counter("listsUnreadable", counters::listsUnreadable);
    }

    private static void histograms(MetricSink group, StateCounters counters) {
        group.histogram("getLatencyNanos", counters.getNanos);
        group.histogram("putLatencyNanos", counters.putNanos);
        group.histogram("deleteLatencyNanos", counters.deleteNanos);
        group.histogram("seekLatencyNanos", counters.seekNanos);
        group.histogram("nextLatencyNanos", counters.nextNanos);
        group.histogram("keyBytes", counters.keyBytes);
        group.histogram("valueBytes", counters.valueBytes);
    }
}
