package io.drey.flink.state.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts of what simulations did, which have to be many for them to mean anything. */
final class Tally {
    /** What can happen. */
    enum Event {
        OPERATION,
        FLUSH,
        COMPACTION,
        BARRIER,
        THREE_UNDER_WAY,
        OUT_OF_ORDER,
        FULL_CHECKPOINT,
        COMPLETED,
        ABORTED,
        CANCELLED_MIDWAY,
        DISCARDED_WHEN_DONE,
        DECLINED,
        ACK_LOST,
        ACK_LATE,
        /** It refers to files that are gone: Flink refuses all of it, and forgets what it brought. */
        ACK_TOO_LATE,
        NOTICE_LOST,
        REUSED,
        KILLED,
        TASK_FAILED,
        JOB_MANAGER_FAILED,
        RESTORED,
        RESTORED_OLDER,
        CLAIM,
        NO_CLAIM,
        RESCALED,
        RESTORED_LOCALLY,
        LOCAL_COPY_DAMAGED,
        LOCAL_COPY_REFUSED,
        DISK_FULL,
        DISK_FAILED,
        DISK_DELETE_FAILED,
        DISK_BIT_FLIPPED,
        DISK_BIT_FOUND,
        STORAGE_WRITE_FAILED,
        STORAGE_READ_FAILED,
        STORAGE_DELETE_FAILED,
        STORAGE_BIT_FLIPPED,
        /** Files left by a task that was killed before its acknowledgement. */
        ORPHAN_OF_KILL,
        /** Files of an acknowledgement that never arrived. */
        ORPHAN_OF_LOST_ACK,
        /** Files known to a job manager that was killed, and to no completed checkpoint. */
        ORPHAN_OF_JOB_MANAGER,
        /** Files that the storage did not delete. */
        ORPHAN_OF_DELETE
    }

    private final Map<Event, Long> counts = new EnumMap<>(Event.class);

    void count(Event event) {
        count(event, 1);
    }

    void count(Event event, long times) {
        counts.merge(event, times, Long::sum);
    }

    long of(Event event) {
        return counts.getOrDefault(event, 0L);
    }

    /** Fails unless each event happened at least so often. */
    void covers(long least) {
        for (Event event : Event.values()) {
            assertThat(of(event)).as(event.toString()).isGreaterThanOrEqualTo(least);
        }
    }

    /** The counts as a line. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (Event event : Event.values()) {
            text.append(text.length() == 0 ? "" : ", ")
                    .append(event.toString().toLowerCase(Locale.ROOT).replace('_', ' '))
                    .append(' ')
                    .append(of(event));
        }
        return text.toString();
    }
}
