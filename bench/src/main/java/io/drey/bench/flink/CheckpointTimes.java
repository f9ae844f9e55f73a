package io.drey.bench.flink;

import io.drey.bench.result.CellResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongToDoubleFunction;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CheckpointStatsStatus;
import org.apache.flink.runtime.checkpoint.FailedCheckpointStats;
import org.apache.flink.runtime.checkpoint.RestoredCheckpointStats;
import org.apache.flink.runtime.checkpoint.SubtaskStateStats;
import org.apache.flink.runtime.checkpoint.TaskStateStats;

/**
 * The checkpoints of a job, from what Flink remembers of them. Those that only the end of the job cut off are not
 * failed: what failed is known before it is cancelled. Used by one thread.
 */
public final class CheckpointTimes {
    private final Map<Long, Long> filesById = new HashMap<>();
    private final Set<Long> failed = new HashSet<>();

    /** Of those that Flink itself failed. */
    private final Map<Long, String> reasons = new HashMap<>();

    private CheckpointSummary summary = CheckpointSummary.NONE;
    private Long restored;
    private long lastCompleted = -1;
    private long pendingId = -1;

    /**
     * Looks at them while the job runs.
     *
     * @param stats null if nothing is known now: what was known stands
     * @return whether another one has completed since the last look
     */
    public boolean look(CheckpointStatsSnapshot stats) {
        if (stats == null) {
            return false;
        }
        pendingId = -1;
        boolean more = false;
        for (AbstractCheckpointStats checkpoint : stats.getHistory().getCheckpoints()) {
            long id = checkpoint.getCheckpointId();
            switch (checkpoint.getStatus()) {
                case COMPLETED -> {
                    more |= id > lastCompleted;
                    lastCompleted = Math.max(lastCompleted, id);
                }
                case FAILED -> {
                    failed.add(id);
                    reasons.computeIfAbsent(id, failedId -> reason(checkpoint));
                }
                case IN_PROGRESS -> pendingId = Math.max(pendingId, id);
            }
        }
        sumUp(stats);
        return more;
    }

    /** The first line of what Flink says, for a sentence. */
    private static String reason(AbstractCheckpointStats checkpoint) {
        String message = checkpoint instanceof FailedCheckpointStats failure ? failure.getFailureMessage() : null;
        return message == null
                ? "no reason is known"
                : message.lines().findFirst().orElse("").replaceAll("\\.$", "");
    }

    /** Looks at them after the end of the job, if anything is known then: what it cut off is not failed. */
    public void lookAfterEnd(CheckpointStatsSnapshot stats) {
        if (stats != null) {
            sumUp(stats);
        }
    }

    private void sumUp(CheckpointStatsSnapshot stats) {
        summary = CheckpointSummary.of(stats, failed.size());
        RestoredCheckpointStats from = stats.getLatestRestoredCheckpoint();
        restored = from == null ? null : Long.valueOf(from.getCheckpointId());
    }

    /** What there was to say at the last look. */
    public CheckpointSummary summary() {
        return summary;
    }

    /** Number of the checkpoint that the job was last restored from, or null. */
    public Long restored() {
        return restored;
    }

    /** The store has so many files after the last checkpoint that completed. */
    public void files(long count) {
        filesById.put(lastCompleted, count);
    }

    /** The one that was under way at the last look, or -1. */
    public long pending() {
        return pendingId;
    }

    /** One that did not complete while it was waited for: it counts as failed. */
    public void giveUp(long id) {
        failed.add(id);
    }

    /**
     * All of them, oldest first.
     *
     * @param stats after the job was cancelled
     * @param second from the wall clock's milliseconds to the time of the cell
     * @param measuredFrom second at which measuring began, infinite if it never did
     * @param measuredTo second at which it ended
     * @param restored whether the first one is the first after a restore
     */
    public List<CellResult.Checkpoint> all(
            CheckpointStatsSnapshot stats,
            LongToDoubleFunction second,
            double measuredFrom,
            double measuredTo,
            boolean restored) {
        List<AbstractCheckpointStats> known = new ArrayList<>(stats.getHistory().getCheckpoints());
        known.sort((a, b) -> Long.compare(a.getCheckpointId(), b.getCheckpointId()));
        List<CellResult.Checkpoint> all = new ArrayList<>();
        boolean firstOfRestore = restored;
        for (AbstractCheckpointStats checkpoint : known) {
            double begin = second.applyAsDouble(checkpoint.getTriggerTimestamp());
            if (counts(checkpoint)) {
                all.add(of(checkpoint, begin, !firstOfRestore && begin >= measuredFrom && begin <= measuredTo));
                firstOfRestore = false;
            }
        }
        return all;
    }

    private boolean counts(AbstractCheckpointStats checkpoint) {
        long id = checkpoint.getCheckpointId();
        return checkpoint.getStatus() == CheckpointStatsStatus.COMPLETED || failed.contains(id);
    }

    private CellResult.Checkpoint of(AbstractCheckpointStats checkpoint, double second, boolean measured) {
        long sync = 0;
        long async = 0;
        for (TaskStateStats task : checkpoint.getAllTaskStateStats()) {
            for (SubtaskStateStats subtask : task.getSubtaskStats()) {
                if (subtask != null) {
                    sync = Math.max(sync, subtask.getSyncCheckpointDuration());
                    async = Math.max(async, subtask.getAsyncCheckpointDuration());
                }
            }
        }
        return new CellResult.Checkpoint(
                checkpoint.getCheckpointId(),
                second,
                measured,
                checkpoint.getStatus() == CheckpointStatsStatus.COMPLETED,
                checkpoint.getEndToEndDuration(),
                sync,
                async,
                checkpoint.getCheckpointedSize(),
                checkpoint.getStateSize(),
                filesById.getOrDefault(checkpoint.getCheckpointId(), -1L),
                reasons.get(checkpoint.getCheckpointId()));
    }
}
