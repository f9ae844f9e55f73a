package io.drey.bench.cell;

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
import org.apache.flink.runtime.checkpoint.SubtaskStateStats;
import org.apache.flink.runtime.checkpoint.TaskStateStats;

/**
 * The checkpoints of a cell, from what Flink remembers of them. Those that only the end of the cell cut off are not failed:
 * what failed is known before the job is cancelled. Used by one thread.
 */
final class CheckpointTimes {
    private final Map<Long, Long> filesById = new HashMap<>();
    private final Set<Long> failed = new HashSet<>();
    private long lastCompleted = -1;
    private long pendingId = -1;

    /**
     * Looks at them while the job runs.
     *
     * @return whether another one has completed since the last look
     */
    boolean look(CheckpointStatsSnapshot stats) {
        pendingId = -1;
        boolean more = false;
        for (AbstractCheckpointStats checkpoint : stats.getHistory().getCheckpoints()) {
            long id = checkpoint.getCheckpointId();
            switch (checkpoint.getStatus()) {
                case COMPLETED -> {
                    more |= id > lastCompleted;
                    lastCompleted = Math.max(lastCompleted, id);
                }
                case FAILED -> failed.add(id);
                case IN_PROGRESS -> pendingId = Math.max(pendingId, id);
            }
        }
        return more;
    }

    /** The store has so many files after the last checkpoint that completed. */
    void files(long count) {
        filesById.put(lastCompleted, count);
    }

    /** The one that was under way at the last look, or -1. */
    long pending() {
        return pendingId;
    }

    /** One that was waited for in vain: it counts as one that did not complete. */
    void giveUp(long id) {
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
    List<CellResult.Checkpoint> all(
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
                filesById.getOrDefault(checkpoint.getCheckpointId(), -1L));
    }
}
