package io.drey.cli.demo;

import java.time.Duration;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CheckpointStatsStatus;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.checkpoint.RestoredCheckpointStats;
import org.apache.flink.runtime.util.stats.StatsSummarySnapshot;

/**
 * What Flink knows about a job's checkpoints at one moment.
 *
 * @param completed number of checkpoints that completed
 * @param failed number of checkpoints that began and failed; those that were not begun, because tasks were still starting,
 *     do not count
 * @param average mean duration, zero without checkpoints
 * @param longest longest duration, zero without checkpoints
 * @param last the latest that completed, or null
 * @param restored the one that the job was last restored from, or null
 */
record CheckpointSummary(
        long completed,
        long failed,
        Duration average,
        Duration longest,
        CheckpointSummary.Completed last,
        CheckpointSummary.Restored restored) {
    /** No checkpoint yet. */
    static final CheckpointSummary NONE = new CheckpointSummary(0, 0, Duration.ZERO, Duration.ZERO, null, null);

    /**
     * A completed checkpoint.
     *
     * @param writtenBytes what this checkpoint wrote
     * @param fullBytes what it refers to, written by it or earlier
     */
    record Completed(long id, Duration duration, long writtenBytes, long fullBytes, String path) {}

    /** What a job was restored from. */
    record Restored(long id, String path) {}

    static CheckpointSummary of(CheckpointStatsSnapshot stats) {
        if (stats == null) {
            return NONE;
        }
        StatsSummarySnapshot durations = stats.getSummaryStats().getEndToEndDurationStats();
        boolean some = durations.getCount() > 0;
        return new CheckpointSummary(
                stats.getCounts().getNumberOfCompletedCheckpoints(),
                failed(stats),
                some ? Duration.ofMillis(durations.getAverage()) : Duration.ZERO,
                some ? Duration.ofMillis(durations.getMaximum()) : Duration.ZERO,
                completed(stats.getHistory().getLatestCompletedCheckpoint()),
                restored(stats.getLatestRestoredCheckpoint()));
    }

    private static long failed(CheckpointStatsSnapshot stats) {
        return stats.getHistory().getCheckpoints().stream()
                .filter(checkpoint -> checkpoint.getStatus() == CheckpointStatsStatus.FAILED)
                .count();
    }

    private static Completed completed(CompletedCheckpointStats stats) {
        return stats == null
                ? null
                : new Completed(
                        stats.getCheckpointId(),
                        Duration.ofMillis(stats.getEndToEndDuration()),
                        stats.getCheckpointedSize(),
                        stats.getStateSize(),
                        stats.getExternalPath());
    }

    private static Restored restored(RestoredCheckpointStats stats) {
        return stats == null ? null : new Restored(stats.getCheckpointId(), stats.getExternalPath());
    }
}
