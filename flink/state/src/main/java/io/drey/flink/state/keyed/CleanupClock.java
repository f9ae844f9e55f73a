package io.drey.flink.state.keyed;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time by which expired entries are deleted: the system's, but for a step ahead, which is believed after a while.
 * With a clock that is set forward and back again, entries that live would be gone for good. What is read goes by the
 * system's time at once, as in Flink. Thread safe.
 */
final class CleanupClock implements LongSupplier {
    /** What a clock may run ahead between two questions without being doubted. */
    static final long STEP_MS_MAX = 60_000;

    /** The time after which a step is believed. */
    static final long DOUBT_MS = 600_000;

    private final LongSupplier systemMs;
    private final LongSupplier nanoClock;

    /** What the time that is believed is ahead of the running one. */
    private long offsetMs;

    private boolean doubted;
    private long doubtedSinceMs;

    /** @param nanoClock runs evenly, from any beginning */
    CleanupClock(LongSupplier systemMs, LongSupplier nanoClock) {
        this.systemMs = systemMs;
        this.nanoClock = nanoClock;
        this.offsetMs = systemMs.getAsLong() - runningMs();
    }

    private long runningMs() {
        return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong());
    }

    @Override
    public synchronized long getAsLong() {
        long running = runningMs();
        long ahead = systemMs.getAsLong() - running - offsetMs;
        boolean before = doubted;
        doubted = ahead > STEP_MS_MAX && !(before && running - doubtedSinceMs >= DOUBT_MS);
        if (!doubted) {
            offsetMs += ahead;
        } else if (!before) {
            doubtedSinceMs = running;
        }
        return running + offsetMs;
    }
}
