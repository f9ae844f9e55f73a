package io.drey.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file being written from front to back by one thread. Others see all of its bytes when it is closed. Closing it
 * without {@link #sync} leaves its bytes unsynced.
 */
public interface WritableFile extends Closeable {
    String name();

    /** Appends all remaining bytes of the buffer, or throws. */
    void write(ByteBuffer bytes) throws IOException;

    /** Bytes written so far. */
    long position();

    /** Makes the bytes written so far survive a crash of the machine. */
    void sync() throws IOException;
}
