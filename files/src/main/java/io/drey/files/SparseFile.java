package io.drey.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of a fixed length whose parts are written in any order, by any number of threads. From its begin on it can be
 * opened; what was not written yet reads as anything.
 */
public interface SparseFile extends Closeable {
    /** Writes all remaining bytes of the buffer from {@code position}, within the length, or throws. */
    void write(long position, ByteBuffer bytes) throws IOException;
}
