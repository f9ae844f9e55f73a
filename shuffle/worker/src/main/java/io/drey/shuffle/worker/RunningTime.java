package io.drey.shuffle.worker;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Milliseconds in which the process ran. What it stood still for, with its container or its machine, is nobody's
 * silence: job managers and workers could not be heard, and may have stood still too. By the clock of the system all
 * leases would have ended before the first renewal could come. Thread safe.
 */
final class RunningTime implements LongSupplier {
    /** Somebody asks at least so often while the process runs. */
    static final long ASKED_MS = 1_000;

    /** More between two questions was no running; less than a registry takes for silence. */
    static final long STEP_MS_MAX = 5_000;

    private final LongSupplier nanoClock;
    private long last;
    private long nanos;

    RunningTime(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.last = nanoClock.getAsLong();
    }

    @Override
    public synchronized long getAsLong() {
        long now = nanoClock.getAsLong();
        nanos += Math.min(TimeUnit.MILLISECONDS.toNanos(STEP_MS_MAX), now - last);
        last = now;
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
