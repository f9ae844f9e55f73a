package io.drey.flink.state.simulation;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/** What the simulated storage says of a file, or of a directory: of that only that it is one. */
record StoredStatus(Path path, long length, long modifiedMs, boolean directory) implements FileStatus {
    static StoredStatus directory(Path path) {
        return new StoredStatus(path, 0, 0, true);
    }

    @Override
    public long getLen() {
        return length;
    }

    @Override
    public long getBlockSize() {
        return length;
    }

    @Override
    public short getReplication() {
        return 1;
    }

    @Override
    public long getModificationTime() {
        return modifiedMs;
    }

    @Override
    public long getAccessTime() {
        return 0;
    }

    @Override
    public boolean isDir() {
        return directory;
    }

    @Override
    public Path getPath() {
        return path;
    }
}
