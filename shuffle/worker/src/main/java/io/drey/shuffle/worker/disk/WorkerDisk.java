package io.drey.shuffle.worker.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The file system below one directory. */
public interface WorkerDisk {
    /** Opens a file to append and to read; a new one, whose directories are made, or one that is there. */
    WorkerFile create(Path file) throws IOException;

    /** Opens a file that is there to read, which a disk that takes no writes lets do. */
    WorkerFile open(Path file) throws IOException;

    /** Opens a file that is there to append, to cut and to read. */
    WorkerFile openToChange(Path file) throws IOException;

    /** Deletes a file or an empty directory, if it is there; one with files is a DirectoryNotEmptyException. */
    void delete(Path path) throws IOException;

    /** Gives a file another name, from which another one goes. */
    void move(Path from, Path to) throws IOException;

    boolean isDirectory(Path path);

    /** Files and directories in a directory, in order; none if there is no such directory. */
    List<Path> list(Path directory) throws IOException;

    /** Keeps others out until it is closed; null if somebody is in. */
    Closeable lock(Path file) throws IOException;

    /** Any thread: grows with each operation that ends, but for questions of space. */
    long steps();

    /** Space that is left, in bytes. */
    long freeBytes() throws IOException;

    long totalBytes() throws IOException;

    /** Whose space it is: equal for directories that share it. */
    default Object fileSystem() {
        return this;
    }
}
