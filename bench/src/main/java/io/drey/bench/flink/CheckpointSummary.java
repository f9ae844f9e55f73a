package io.drey.bench.flink;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.util.stats.StatsSummarySnapshot;

/**
 * A job's checkpoints at one moment, summed up.
 *
 * @param completed number of checkpoints that completed, savepoints too
 * @param failed number of checkpoints that began and failed; those that were not begun, because tasks were still
 *     starting, do not count
 * @param durationAvgMs mean duration, zero without checkpoints
 * @param durationMaxMs longest duration, zero without checkpoints
 * @param last the latest checkpoint that completed, or null; never a savepoint
 */
public record CheckpointSummary(
        long completed,
        long failed,
        long durationAvgMs,
        long durationMaxMs,
        @JsonInclude(JsonInclude.Include.NON_NULL) Completed last) {
    /** No checkpoint yet. */
    public static final CheckpointSummary NONE = new CheckpointSummary(0, 0, 0, 0, null);

    /**
     * A completed checkpoint.
     *
     * @param writtenBytes what this checkpoint wrote
     * @param fullBytes what it refers to, written by it or earlier
     */
    public record Completed(long id, long durationMs, long writtenBytes, long fullBytes) {}

    static CheckpointSummary of(CheckpointStatsSnapshot stats, long failed) {
        StatsSummarySnapshot durations = stats.getSummaryStats().getEndToEndDurationStats();
        boolean some = durations.getCount() > 0;
        CompletedCheckpointStats last = stats.getHistory().getLatestCompletedCheckpoint();
        return new CheckpointSummary(
                stats.getCounts().getNumberOfCompletedCheckpoints(),
                failed,
                some ? durations.getAverage() : 0,
                some ? durations.getMaximum() : 0,
                last == null
                        ? null
                        : new Completed(
                                last.getCheckpointId(),
                                last.getEndToEndDuration(),
                                last.getCheckpointedSize(),
                                last.getStateSize()));
    }
}
