package io.drey.files.remote;

import java.io.IOException;

/** A file has come, and is not what was once stored: to fetch it again gives the same. */
final class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedFileException(String message) {
        super(message);
    }
}
