package io.drey.cli.inspect.file;

import io.drey.files.ReadableFile;
import io.drey.foundation.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/** A file of a checkpoint, read at positions of the stream of its handle. Any thread. */
final class HandleFile implements ReadableFile {
    private static final int BUFFER_BYTES = 64 << 10;

    private final String description;
    private final long size;
    private final FSDataInputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    HandleFile(StreamStateHandle handle) throws IOException {
        this.description = Handles.describe(handle);
        this.size = handle.getStateSize();
        this.in = handle.openInputStream();
    }

    /** Where it lies: errors of damage say so. */
    @Override
    public String name() {
        return description;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public synchronized void read(long position, ByteBuffer into) throws IOException {
        in.seek(position);
        while (into.hasRemaining()) {
            int count = in.read(buffer, 0, Math.min(buffer.length, into.remaining()));
            if (count < 0) {
                throw new CorruptFileException(description, in.getPos(), size + " bytes", "its end");
            }
            into.put(buffer, 0, count);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
