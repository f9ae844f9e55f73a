package io.drey.files;

import java.io.IOException;

/** No local directory has room for what was to be written. Reading goes on, and writing when there is room again. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether a failure comes of one of these. */
    public static boolean isCauseOf(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof DiskFullException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }
}
