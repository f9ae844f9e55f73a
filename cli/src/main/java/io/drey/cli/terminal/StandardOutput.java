package io.drey.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;

/** Standard output, which remembers that some of it was lost: writers keep that to themselves. */
public final class StandardOutput extends FilterOutputStream {
    /** The sentence for output that was lost. */
    public static final String LOST =
            "The output could not be written to its end: is a disk full, or did its reader end?";

    /** The system's words for a reader that has ended, which loses what it did not want. */
    private static final String NO_READER = "Broken pipe";

    private volatile boolean isLost;

    public StandardOutput() {
        super(new FileOutputStream(FileDescriptor.out));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            isLost |= !String.valueOf(e.getMessage()).contains(NO_READER);
            throw e;
        }
    }

    /** Whether somebody misses some of it. */
    public boolean isLost() {
        return isLost;
    }
}
