package io.drey.files;

import java.io.IOException;
import java.util.List;

/**
 * A flat directory of files that are written once, from front to back, and then only read or deleted. Thread safe.
 * Names are plain file names without separators.
 */
public interface Directory {
    /** Creates a file that must not exist yet. */
    WritableFile create(String name) throws IOException;

    /**
     * Creates a file of a fixed length, which must not exist yet, to be written in any order. A directory that is only
     * read refuses.
     */
    default SparseFile createSparse(String name, long bytes) throws IOException {
        throw new UnsupportedOperationException("expected only reads of " + describe() + ", found a new file " + name);
    }

    /** Opens a finished file. */
    ReadableFile open(String name) throws IOException;

    /** Deletes a file; one that does not exist is not an error. */
    void delete(String name) throws IOException;

    boolean exists(String name) throws IOException;

    /** The names of all files, sorted. */
    List<String> list() throws IOException;

    /** Bytes that can still be written here. */
    long usableBytes() throws IOException;

    /** What messages call this directory. */
    String describe();
}
