package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.TestSummary;
import java.util.Locale;

/** Counts of what happened in histories. */
final class Tally {
    /** What can happen. */
    enum Event {
        CROWDED,
        ATTEMPT,
        REGION,
        COMMITTED,
        READ,
        LOST,
        TOLD_LOSS,
        WRITER_FAILED,
        RECOVERED,
        ABANDONED,
        FENCED,
        KILLED,
        KILLED_FOR_LONG,
        KILLED_FOR_GOOD,
        MACHINE_DOWN,
        EMPTIED,
        DRAINED,
        CUT,
        MUTED,
        PARTED,
        PARTED_FOR_LONG,
        CLIENT_PARTED,
        DISK_FULL,
        DISK_FAILED,
        DISK_HUNG,
        DISK_SLOW,
        BIT_FLIPPED,
        TASK_MANAGER_KILLED,
        JOB_MANAGER_KILLED,
        TWO_JOB_MANAGERS,
        DID_NOT_START
    }

    private final long[] counts = new long[Event.values().length];

    void count(Event event) {
        count(event, 1);
    }

    void count(Event event, long times) {
        counts[event.ordinal()] += times;
    }

    long of(Event event) {
        return counts[event.ordinal()];
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
