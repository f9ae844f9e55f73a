package io.drey.flink.state.metric;

import io.drey.files.remote.Downloads;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of a restore; what is left and was read are 0 unless it does not wait for its files.
 *
 * @param downloads of files that come later, if any
 * @param openedNanos how long it took until the store was open
 */
public record RestoreMetrics(Downloads downloads, long openedNanos) {
    public void register(MetricSink drey) {
        drey.gauge("restoreBytesLeft", downloads::bytesLeft);
        drey.counter("restoreRangesRead", downloads::rangesRead);
        drey.gauge("restoreMillis", () -> TimeUnit.NANOSECONDS.toMillis(Math.max(openedNanos, downloads.nanos())));
    }
}
