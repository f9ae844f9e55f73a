package io.drey.flink.state.metric;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The metrics of a restore; what is left and was read are 0 unless it does not wait for its files.
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
