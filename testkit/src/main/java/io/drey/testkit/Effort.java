package io.drey.testkit;

import java.time.Duration;
import java.util.Locale;

/**
 * The effort of a run: how much of the same the tests that can do more of it do. The build's profiles set it, by the
 * system property {@code drey.effort}; tests with the tag {@value #TAG} are the ones that the longer profiles run.
 */
public enum Effort {
    /** Every change: {@code mvn verify}. */
    VERIFY(1),
    /** Before a release and after a change of what runs concurrently: {@code mvn verify -Pstress}. */
    STRESS(3),
    /** Once a day: {@code mvn verify -Pnightly}. */
    NIGHTLY(8);

    /** Of tests that scale. */
    public static final String TAG = "stress";

    /** Of tests that {@code mvn verify} has no time for; those of the longer profiles also have {@link #TAG}. */
    public static final String LONG_TAG = "long";

    static final String PROPERTY = "drey.effort";

    private final int seededFactor;

    Effort(int seededFactor) {
        this.seededFactor = seededFactor;
    }

    public static Effort current() {
        return Effort.valueOf(System.getProperty(PROPERTY, "verify").toUpperCase(Locale.ROOT));
    }

    /** The number for this run of the three. */
    public static long of(long verify, long stress, long nightly) {
        return switch (current()) {
            case VERIFY -> verify;
            case STRESS -> stress;
            case NIGHTLY -> nightly;
        };
    }

    /** The time for this run of the three. */
    public static Duration of(Duration verify, Duration stress, Duration nightly) {
        return Duration.ofNanos(of(verify.toNanos(), stress.toNanos(), nightly.toNanos()));
    }

    /** How much a seeded test does, of which {@code mvn verify} does so much. */
    static long seeded(long verify) {
        return verify * current().seededFactor;
    }
}
