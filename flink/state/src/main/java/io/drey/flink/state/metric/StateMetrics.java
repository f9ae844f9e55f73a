package io.drey.flink.state.metric;

import java.util.function.LongSupplier;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** Makes the counters of states and registers them, in group {@code state.<name>} of the backend's. */
public final class StateMetrics {
    private final MetricGroup drey;

    /** States below the group of a backend. */
    public StateMetrics(MetricGroup drey) {
        this.drey = drey;
    }

    /** The counters of a state, registered under its name. */
    public StateCounters of(String state) {
        StateCounters counters = new StateCounters();
        MetricGroup group = drey.addGroup("state", state);
        gauge(group, "getHits", counters::getHits);
        gauge(group, "getAbsents", counters::getAbsents);
        gauge(group, "puts", counters::puts);
        gauge(group, "deletes", counters::deletes);
        gauge(group, "writeBacks", counters::writeBacks);
        gauge(group, "seeks", counters::seeks);
        gauge(group, "nexts", counters::nexts);
        gauge(group, "listsUnreadable", counters::listsUnreadable);
        group.histogram("getLatencyNanos", counters.getNanos);
        group.histogram("putLatencyNanos", counters.putNanos);
        group.histogram("deleteLatencyNanos", counters.deleteNanos);
        group.histogram("seekLatencyNanos", counters.seekNanos);
        group.histogram("nextLatencyNanos", counters.nextNanos);
        group.histogram("keyBytes", counters.keyBytes);
        group.histogram("valueBytes", counters.valueBytes);
        return counters;
    }

    private static void gauge(MetricGroup group, String name, LongSupplier value) {
        group.<Long, Gauge<Long>>gauge(name, value::getAsLong);
    }
}
