package io.drey.foundation;

import java.io.IOException;

/** A step of many that give everything back after a failure: whatever it throws, the others have their turn. */
public interface Cleanup {
    void run() throws IOException;

    /** Runs a step; what it throws, an error of memory too, is told with the cause. */
    static void attempt(Cleanup step, Throwable cause) {
        try {
            step.run();
        } catch (IOException | RuntimeException | Error e) {
            // The system has one error for all that it has no memory for.
            if (e != cause) {
                cause.addSuppressed(e);
            }
        }
    }
}
