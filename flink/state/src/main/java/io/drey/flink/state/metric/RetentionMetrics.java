package io.drey.flink.state.metric;

import java.util.function.LongSupplier;

/**
 * The metrics of what stays in the checkpoint storage.
 *
 * @param orphansDeleted files that no checkpoint listed, deleted by the janitor
 * @param orphansLeft those that its last look left
 * @param deletionsPending files that no checkpoint refers to and that are still there
 */
public record RetentionMetrics(LongSupplier orphansDeleted, LongSupplier orphansLeft, LongSupplier deletionsPending) {
    public void register(MetricSink drey) {
        drey.counter("orphansDeleted", orphansDeleted);
        drey.gauge("orphansLeft", orphansLeft);
        drey.gauge("deletionsPending", deletionsPending);
    }
}
