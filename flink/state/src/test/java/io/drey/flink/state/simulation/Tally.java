package io.drey.flink.state.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Hash;
import io.drey.testkit.TestSummary;
import java.util.Locale;

/** Counts of what simulations did, which have to be many for them to mean anything. */
final class Tally {
    /** What can happen. */
    enum Event {
        OPERATION,
        FLUSH,
        COMPACTION,
        BARRIER,
        /** Of preparation: before the barrier. */
        ROUND_ONE,
        ROUND_TWO,
        ROUND_TOO_LATE,
        ROUND_FAILED,
        ROUND_FILE_STORED,
        /** By a checkpoint that did not upload it. */
        ROUND_FILE_LISTED,
        ROUND_FILE_DROPPED,
        BARRIER_BEFORE_ROUND,
        BARRIER_IN_ROUND,
        BARRIER_AFTER_ROUND,
        ROUND_NOT_AWAITED,
        ABORTED_AFTER_ROUND,
        THREE_UNDER_WAY,
        /** To write a file: it hangs until others have gone on. */
        ATTEMPT_HELD,
        /** What it wrote is gone: another one was first, or nobody wanted the file any more. */
        ATTEMPT_LOST,
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
        /** Files that a task listed in packs, and packs that several tasks list. */
        PACKED,
        PACK_SHARED,
        /** A pack that one task lists further on, and another one not. */
        PACK_LEFT_BY_ONE,
        PACK_DAMAGED,
        KILLED,
        KILLED_BEFORE_BARRIER,
        KILLED_BEFORE_UPLOAD,
        KILLED_IN_UPLOAD,
        KILLED_AFTER_UPLOAD,
        KILLED_BEFORE_ACK,
        KILLED_BEFORE_NOTICE,
        KILLED_IN_BACKGROUND,
        KILLED_BEFORE_ROUND,
        KILLED_IN_ROUND_ONE,
        KILLED_IN_ROUND_TWO,
        KILLED_AFTER_ROUND,
        KILLED_IN_LOOK,
        TASK_FAILED,
        JOB_MANAGER_FAILED,
        JOB_MANAGER_FAILED_MIDWAY,
        /** Its last checkpoint is complete, and nobody knows. */
        JOB_MANAGER_FAILED_AFTER_METADATA,
        METADATA_FAILED,
        METADATA_CUT,
        METADATA_FLIPPED,
        JANITOR_LOOKED,
        JANITOR_DELETED,
        JANITOR_HINDERED,
        AUDIT_DELETED,
        AN_HOUR,
        RESTORED,
        RESTORED_OLDER,
        RESTORE_FAILED,
        CLAIM,
        /** In another job's directory, of which files are listed. */
        CLAIM_WRITTEN,
        NO_CLAIM,
        RESCALED_UP,
        RESCALED_DOWN,
        RESTORED_LOCALLY,
        /** After a change of parallelism: a copy, and from remote what others had. */
        RESTORED_LOCALLY_IN_PART,
        /** Files come by and by. */
        LAZY_RESTORED,
        LAZY_RESCALED,
        LAZY_WHOLE,
        LAZY_BARRIER,
        LAZY_COMPLETED,
        LAZY_KILLED,
        LAZY_FAILED,
        LAZY_FILES_UNREADABLE,
        LAZY_FILE_FLIPPED,
        SAVEPOINT,
        LOCAL_COPY_LOST,
        LOCAL_COPY_TORN,
        LOCAL_COPY_FLIPPED,
        LOCAL_COPY_REFUSED,
        DISK_FULL,
        DISK_FULL_FOUND,
        DISK_FAILED,
        DISK_FAILED_FOR_GOOD,
        DISK_SPOILED_BEFORE_RESTORE,
        DISK_FAILED_RESTORE,
        DISK_FAILURE_FOUND,
        DISK_DELETE_FAILED,
        DISK_BIT_FLIPPED,
        DISK_BIT_FOUND,
        STORAGE_WRITE_FAILED,
        STORAGE_WRITE_TORN,
        STORAGE_READ_FAILED,
        STORAGE_DELETE_FAILED,
        STORAGE_LIST_FAILED,
        STORAGE_BIT_FLIPPED,
        STORAGE_FILE_CUT,
        STORAGE_FILE_LOST,
        /** Files left by a task that was killed before its acknowledgement. */
        ORPHAN_OF_KILL,
        /** Files of an acknowledgement that never arrived. */
        ORPHAN_OF_LOST_ACK,
        /** Files known to a job manager that was killed, and to no completed checkpoint. */
        ORPHAN_OF_JOB_MANAGER,
        /** Files that the storage did not delete. */
        ORPHAN_OF_DELETE
    }

    private final long[] counts = new long[Event.values().length];
    private long digest;

    void count(Event event) {
        count(event, 1);
    }

    void count(Event event, long times) {
        counts[event.ordinal()] += times;
        trace((long) event.ordinal() << 32 | times);
    }

    long of(Event event) {
        return counts[event.ordinal()];
    }

    /** Something that is the same each time a seed repeats its history, and at the same time. */
    void trace(long fact) {
        digest = Hash.combine(digest, fact);
    }

    /** A number that another history does not have. */
    long digest() {
        return digest;
    }

    /** Fails unless each event happened at least so often. */
    void covers(long least) {
        for (Event event : Event.values()) {
            assertThat(of(event)).as(event.toString()).isGreaterThanOrEqualTo(least);
        }
    }

    void addTo(TestSummary summary) {
        for (Event event : Event.values()) {
            summary.add(event.toString().toLowerCase(Locale.ROOT).replace('_', ' '), of(event));
        }
    }
}
