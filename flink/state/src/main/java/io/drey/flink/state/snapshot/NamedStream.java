package io.drey.flink.state.snapshot;

import io.drey.flink.state.task.StorageFaults;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.flink.core.fs.EntropyInjector;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.OutputStreamAndPath;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.util.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of the checkpoint storage under a name of ours: what Flink's stream of its checkpoint storage does, which names
 * files by itself, but for small ones. Closed without its handle being asked for it throws the file away. One thread.
 */
public final class NamedStream extends CheckpointStateOutputStream {
    private static final Logger LOG = LoggerFactory.getLogger(NamedStream.class);

    private final Path path;
    private final FSDataOutputStream out;
    private final Consumer<StreamStateHandle> trash;
    private long written;
    private boolean closed;

    private NamedStream(Path path, FSDataOutputStream out, Consumer<StreamStateHandle> trash) {
        this.path = path;
        this.out = out;
        this.trash = trash;
    }

    /** Creates a file; entropy goes into its path where that is wanted. */
    public static NamedStream create(Path directory, String name, Consumer<StreamStateHandle> trash)
            throws IOException {
        try {
            OutputStreamAndPath file = EntropyInjector.createEntropyAware(
                    directory.getFileSystem(), new Path(directory, name), WriteMode.NO_OVERWRITE);
            return new NamedStream(file.path(), file.stream(), trash);
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "a file could not be created in " + directory + ": "
                            + StorageFaults.of(e).getMessage()
                            + ". Check that the checkpoint storage is there and may be written to",
                    e);
        }
    }

    @Override
    public void write(int b) throws IOException {
        try {
            out.write(b);
            written++;
        } catch (IOException | RuntimeException e) {
            throw notWritten(e);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
            written += length;
        } catch (IOException | RuntimeException e) {
            throw notWritten(e);
        }
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
    public StreamStateHandle closeAndGetHandle() throws IOException {
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
        } catch (IOException | RuntimeException e) {
            throw notWritten(e);
        } finally {
            if (!done) {
                IOUtils.closeQuietly(out);
                throwAway();
            }
        }
    }

    private IOException notWritten(Exception cause) {
        return new IOException(
                path + " could not be written, after " + written + " bytes: "
                        + StorageFaults.of(cause).getMessage()
                        + ". Check that the checkpoint storage has room and can be reached; the next checkpoint tries"
                        + " again",
                cause);
    }

    /** Gives the file up; never throws, like Flink's. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                out.close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("{}, which is given up, could not be closed", path, e);
            } finally {
                throwAway();
            }
        }
    }

    private void throwAway() {
        trash.accept(new FileStateHandle(path, 0));
    }
}
