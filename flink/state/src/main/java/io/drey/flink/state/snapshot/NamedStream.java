package io.drey.flink.state.snapshot;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.flink.core.fs.EntropyInjector;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.OutputStreamAndPath;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of the checkpoint storage under a name of ours: what Flink's stream of its checkpoint storage does, which names
 * files by itself, but for small ones. Closed without its handle being asked for it deletes the file. One thread writes;
 * any may close.
 */
final class NamedStream extends CheckpointStateOutputStream {
    private static final Logger LOG = LoggerFactory.getLogger(NamedStream.class);

    /** As many as Flink tries. */
    private static final int CREATE_TRIES_MAX = 10;

    private final FileSystem fileSystem;
    private final Path path;
    private final FSDataOutputStream out;
    private boolean closed;

    private NamedStream(FileSystem fileSystem, Path path, FSDataOutputStream out) {
        this.fileSystem = fileSystem;
        this.path = path;
        this.out = out;
    }

    /** Creates a file, under another name if one cannot be created; entropy goes into its path where that is wanted. */
    static NamedStream create(Path directory, Supplier<String> names) throws IOException {
        FileSystem fileSystem = directory.getFileSystem();
        IOException last = null;
        for (int tries = 0; tries < CREATE_TRIES_MAX; tries++) {
            try {
                OutputStreamAndPath file = EntropyInjector.createEntropyAware(
                        fileSystem, new Path(directory, names.get()), WriteMode.NO_OVERWRITE);
                return new NamedStream(fileSystem, file.path(), file.stream());
            } catch (IOException e) {
                last = e;
            }
        }
        throw new IOException(
                "a file could not be created in " + directory + " in " + CREATE_TRIES_MAX + " tries: "
                        + last.getMessage() + ". Check that the checkpoint storage is there and may be written to",
                last);
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public long getPos() throws IOException {
        return out.getPos();
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void sync() throws IOException {
        out.sync();
    }

    @Override
    public synchronized StreamStateHandle closeAndGetHandle() throws IOException {
        if (closed) {
            throw new IOException("the stream of " + path + " has been closed already, and its file deleted");
        }
        closed = true;
        boolean done = false;
        try {
            long bytes = out.getPos();
            out.sync();
            out.close();
            done = true;
            return new FileStateHandle(path, bytes);
        } finally {
            if (!done) {
                delete();
            }
        }
    }

    /** Gives the file up; never throws, like Flink's. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                out.close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("{}, which is given up, could not be closed", path, e);
            } finally {
                delete();
            }
        }
    }

    private void delete() {
        try {
            fileSystem.delete(path, false);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} could not be deleted and takes space in the checkpoint storage", path, e);
        }
    }
}
