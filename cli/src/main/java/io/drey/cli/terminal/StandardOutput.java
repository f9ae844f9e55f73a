package io.drey.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Standard output, which remembers that some of it was lost: writers keep that to themselves. */
public final class StandardOutput extends FilterOutputStream {
    /** The sentence for output that was lost. */
    public static final String LOST =
            "The output could not be written to its end: is a disk full, or did its reader end?";

    private static final Path FILE = Path.of("/dev/stdout");
    private static final int KIND = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private volatile boolean isLost;

    public StandardOutput() {
        super(new FileOutputStream(FileDescriptor.out));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            isLost |= !hasReader();
            throw e;
        }
    }

    /** Whether it goes to a process, which has ended if a write fails, and misses nothing. */
    private static boolean hasReader() {
        try {
            int kind = (int) Files.getAttribute(FILE, "unix:mode") & KIND;
            return kind == PIPE || kind == SOCKET;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Whether somebody misses some of it. */
    public boolean isLost() {
        return isLost;
    }
}
