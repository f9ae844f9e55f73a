package io.drey.shuffle.worker.disk;

import java.io.IOException;
import java.nio.file.Path;

/** The file system below one directory, as far as the data of partitions goes through it. */
public interface WorkerDisk {
    /** Opens a file to append and to read; a new one, whose directories are made, or one that is there. */
    WorkerFile create(Path file) throws IOException;

    WorkerFile open(Path file) throws IOException;

    void delete(Path file) throws IOException;

    /** Space that is left, in bytes. */
    long freeBytes() throws IOException;

    long totalBytes() throws IOException;
}
