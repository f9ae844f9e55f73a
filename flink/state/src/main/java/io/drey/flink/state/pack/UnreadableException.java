package io.drey.flink.state.pack;

import io.drey.foundation.FileFaults;
import java.io.IOException;

/** A local file cannot be read, or is not what was written: whatever it was to be written into is not to blame. */
public final class UnreadableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreadableException(String message, Throwable cause) {
        super(message, cause);
        FileFaults.found();
    }
}
