package io.drey.shuffle.client;

import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Limits a wait for workers: pauses that grow, and a limit since the last progress. */
final class Patience {
    private static final long FIRST_PAUSE_MS = 50;
    private static final long PAUSE_MS_MAX = 1_000;

    private final Ticker clock;
    private final Duration limit;
    private long since;
    private long pauseMs;

    Patience(Ticker clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
        progress();
    }

    /** Something went well: the limit counts from now. */
    void progress() {
        since = clock.nanoTime();
        pauseMs = FIRST_PAUSE_MS;
    }

    /** Whether the limit has passed without progress. */
    boolean isOver() {
        return clock.nanoTime() - since > limit.toNanos();
    }

    /** Whether a number of times the limit has passed without progress, and at least this time. */
    boolean isOver(int times, Duration least) {
        return clock.nanoTime() - since > Math.max(limit.toNanos() * times, least.toNanos());
    }

    long nextPauseMs() {
        long pause = pauseMs;
        pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs);
        return pause;
    }

    @Override
    public String toString() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - since) + " ms";
    }
}
