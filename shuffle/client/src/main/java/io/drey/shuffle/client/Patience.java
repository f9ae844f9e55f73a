package io.drey.shuffle.client;

import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Limits a wait for workers: pauses that grow, and a limit since the last progress. */
final class Patience {
    private static final long FIRST_PAUSE_MS = 50;
    private static final long PAUSE_MS_MAX = 1_000;

    /** A worker that a registry vouches for, or that answers, is waited for at most so many times the limit. */
    private static final int LONG_TIMES = 10;

    /** And at least so long: until registries have given up a worker that they do not hear of, and somewhat more. */
    private static final Duration LONG_LEAST = Duration.ofSeconds(90);

    private final Ticker clock;
    private final Duration limit;
    private long since;
    private long answered;
    private long pauseMs;

    Patience(Ticker clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
        progress();
    }

    /** Something went well: the limit counts from now. */
    void progress() {
        since = clock.nanoTime();
        answered = since;
        pauseMs = FIRST_PAUSE_MS;
    }

    /** It is there, and nothing went well: the limit counts from now; the long one and growing pauses go on. */
    void answered() {
        answered = clock.nanoTime();
    }

    /** Whether the limit has passed without progress. */
    boolean isOver() {
        return clock.nanoTime() - answered > limit.toNanos();
    }

    /** Whether it has passed many times over: for workers that are known to be there. */
    boolean isLongOver() {
        return clock.nanoTime() - since > Math.max(limit.toNanos() * LONG_TIMES, LONG_LEAST.toNanos());
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
