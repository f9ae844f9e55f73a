package io.drey.shuffle.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Limits a wait for workers: pauses that grow, and a limit since the last progress. */
final class Patience {
    private static final long FIRST_PAUSE_MS = 50;
    private static final long PAUSE_MS_MAX = 2_000;

    private final Duration limit;
    private long since;
    private long pauseMs;

    Patience(Duration limit) {
        this.limit = limit;
        progress();
    }

    /** Something went well: the limit counts from now. */
    void progress() {
        since = System.nanoTime();
        pauseMs = FIRST_PAUSE_MS;
    }

    /** Whether the limit, a number of times, has passed without progress. */
    boolean isOver(int times) {
        return System.nanoTime() - since > limit.toNanos() * times;
    }

    long nextPauseMs() {
        long pause = pauseMs;
        pauseMs = Math.min(PAUSE_MS_MAX, 2 * pauseMs);
        return pause;
    }

    @Override
    public String toString() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since) + " ms";
    }
}
