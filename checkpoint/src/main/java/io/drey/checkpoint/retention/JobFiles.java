package io.drey.checkpoint.retention;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** The contents of directories of checkpoints, whatever stores them. Paths are those of the storage, joined by "/". */
public interface JobFiles {
    /**
     * Something in a directory.
     *
     * @param modifiedMs when it was last written, by the clock of the storage; 0 if that does not say
     */
    record Entry(String name, boolean directory, long bytes, long modifiedMs) {}

    /** What is in a directory; nothing if there is no such directory. */
    List<Entry> list(String directory) throws IOException;

    /** The bytes of a file, or null if there is none. More bytes than that are an error. */
    byte[] read(String file, int bytesMax) throws IOException;

    /**
     * Paths of all files that Flink's meta data lists.
     *
     * @param file where it was read from
     * @throws IOException if it is not readable as a whole
     */
    Set<String> listed(byte[] metadata, String file) throws IOException;

    /** Deletes a file, or a directory if it is empty; what has gone already is fine. */
    void delete(String path) throws IOException;
}
