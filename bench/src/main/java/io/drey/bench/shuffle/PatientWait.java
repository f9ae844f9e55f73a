package io.drey.bench.shuffle;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits in small steps, and not for ever. */
final class PatientWait {
    private static final long MS_MAX = 600_000;
    private static final long STEP_MS = 100;

    private PatientWait() {}

    /** Waits so long for something, and throws a {@link TimeoutException} if it is not there then. */
    @FunctionalInterface
    interface Step<T> {
        T await(long ms) throws Exception;
    }

    /** @throws TimeoutException with a sentence, after ten minutes */
    static <T> T await(Step<T> step) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MS_MAX);
        while (System.nanoTime() < end) {
            try {
                return step.await(STEP_MS);
            } catch (TimeoutException e) {
                // It still runs.
                continue;
            }
        }
        throw new TimeoutException("it was not done within " + MS_MAX / 1000 + " s");
    }
}
