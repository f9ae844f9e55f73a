package io.drey.files;

import java.io.IOException;

/** No local directory has room for what was to be written. Reading goes on, and writing when there is room again. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
