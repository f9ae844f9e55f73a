package io.drey.flink.state.metric;

import java.util.function.LongSupplier;

/**
 * The metrics of a backend's checkpoints.
 *
 * @param rounds that prepared them
 * @param roundBytes that these uploaded
 * @param barrierErrorMillis by which the last barrier came later than expected
 * @param secondAttempts of writes that were slow
 * @param secondAttemptsWon that ended before the first
 */
public record CheckpointMetrics(
        LongSupplier rounds,
        LongSupplier roundBytes,
        LongSupplier barrierErrorMillis,
        LongSupplier secondAttempts,
        LongSupplier secondAttemptsWon) {
    public void register(MetricSink drey) {
        drey.counter("checkpointRounds", rounds);
        drey.counter("checkpointRoundBytes", roundBytes);
        drey.gauge("barrierErrorMillis", barrierErrorMillis);
        drey.counter("secondAttempts", secondAttempts);
        drey.counter("secondAttemptsWon", secondAttemptsWon);
    }
}
