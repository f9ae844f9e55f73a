package io.drey.flink.state.metric;

import java.util.function.LongSupplier;

/**
 * The metrics of a job's changelog in one task manager.
 *
 * @param memoryBytesUsed by changes that are not stored yet
 * @param files that were stored
 * @param bytes of these
 * @param failures of files that could not be stored, after all attempts
 * @param secondAttempts of writes that were slow
 */
public record ChangelogMetrics(
        LongSupplier memoryBytesUsed,
        LongSupplier files,
        LongSupplier bytes,
        LongSupplier failures,
        LongSupplier secondAttempts) {
    public void register(MetricSink drey) {
        drey.gauge("changelogMemoryBytesUsed", memoryBytesUsed);
        drey.counter("changelogFiles", files);
        drey.counter("changelogBytes", bytes);
        drey.counter("changelogFailures", failures);
        drey.counter("changelogSecondAttempts", secondAttempts);
    }
}
