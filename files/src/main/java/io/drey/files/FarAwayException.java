package io.drey.files;

import java.io.IOException;

/** A failure to bring here what is to be read, and is far away. It tells nothing of the disks here. */
public final class FarAwayException extends IOException {
    private static final long serialVersionUID = 1L;

    public FarAwayException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
