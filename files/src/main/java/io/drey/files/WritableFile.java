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

    /** Appends all remaining bytes of the buffer, or throws; then a call that is not refused goes on with the rest. */
    void write(ByteBuffer bytes) throws IOException;

    /** Bytes written so far. */
    long position();

    /** The last of these bytes, which wait to fill a block: if a write has failed, they are nowhere else. */
    default ByteBuffer pending() {
        return ByteBuffer.allocate(0);
    }

    /** Makes the bytes written so far survive a crash of the machine. */
    void sync() throws IOException;
}
