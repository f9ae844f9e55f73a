package io.drey.files.remote;

import java.io.InterruptedIOException;

/** Words for waits that an interrupt has ended: the thread keeps its flag, and its read fails. */
final class Waits {
    private Waits() {}

    static InterruptedIOException interrupted(String what, InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException failure = new InterruptedIOException("interrupted while waiting for " + what);
        failure.initCause(cause);
        return failure;
    }
}
