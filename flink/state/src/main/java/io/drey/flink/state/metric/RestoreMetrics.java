package io.drey.flink.state.metric;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The metrics of a restore that does not wait.
 *
 * @param bytesLeft that are still in the checkpoint storage
 * @param rangesRead parts of files that somebody waited for
 * @param nanos that it has taken so far
 */
public record RestoreMetrics(LongSupplier bytesLeft, LongSupplier rangesRead, LongSupplier nanos) {
    public void register(MetricSink drey) {
        drey.gauge("restoreBytesLeft", bytesLeft);
        drey.counter("restoreRangesRead", rangesRead);
        drey.gauge("restoreMillis", () -> TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong()));
    }
}
