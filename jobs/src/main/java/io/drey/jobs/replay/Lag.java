package io.drey.jobs.replay;

import java.time.Duration;

/**
 * The delay from an event to its arrival: up to a quarter of an hour, and six hours more for every 37th row, like
 * reports from an aircraft out of reach. A fixed function of the row and the kind of event, so that every run sees the
 * same disorder.
 */
public final class Lag {
    private static final int USUAL_S = 900;
    private static final int LATE_ROWS = 37;
    private static final int LATE_S = 6 * 3600;

    /** No lag is longer. */
    public static final Duration MAX = Duration.ofSeconds(USUAL_S + LATE_S);

    private Lag() {}

    /** The lag in seconds. */
    public static long seconds(int row, int kind) {
        long usual = (row * 7919L + kind * 104_729L) % USUAL_S;
        return row % LATE_ROWS == 0 ? usual + LATE_S : usual;
    }
}
