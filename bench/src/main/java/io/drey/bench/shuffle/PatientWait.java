package io.drey.bench.shuffle;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits in small steps, so that a user's wish to stop is heard. */
final class PatientWait {
    private static final long MS_MAX = 600_000;
    private static final long STEP_MS = 100;

    private PatientWait() {}

    /** Waits so long for something, and throws a {@link TimeoutException} if it is not there then. */
    @FunctionalInterface
    interface Step<T> {
        T await(long ms) throws Exception;
    }

    /** @throws TimeoutException with a sentence, after ten minutes or if the user has stopped it */
    static <T> T await(ShuffleLoad.Surroundings surroundings, Step<T> step) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MS_MAX);
        while (System.nanoTime() < end && !surroundings.isStopped()) {
            try {
                return step.await(STEP_MS);
            } catch (TimeoutException e) {
                // It still runs.
                continue;
            }
        }
        throw new TimeoutException(
                surroundings.isStopped() ? "it was stopped" : "it was not done within " + MS_MAX / 1000 + " s");
    }
}
