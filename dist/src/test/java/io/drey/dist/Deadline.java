package io.drey.dist;

import java.time.Duration;
import java.util.function.Supplier;

/** Waits for something that another process does, never without a limit. */
final class Deadline {

    private static final long PAUSE_MS = 200;

    /** What may fail with an exception of any kind. */
    interface Condition {
        boolean holds() throws Exception;
    }

    private Deadline() {}

    /**
     * Waits until the condition holds.
     *
     * @param what completes the sentence "Waited 30 s for …"
     * @param details added to the message, computed only then
     */
    static void await(String what, Duration limit, Condition condition, Supplier<String> details) throws Exception {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "Waited " + limit.toSeconds() + " s for " + what + ", in vain. " + details.get());
            }
            Thread.sleep(PAUSE_MS);
        }
    }
}
