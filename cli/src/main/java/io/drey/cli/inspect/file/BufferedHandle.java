package io.drey.cli.inspect.file;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.PhysicalStateHandleID;
import org.apache.flink.runtime.state.StreamStateHandle;

/** A handle whose streams read ahead: Flink's readers ask for entries in parts of one to four bytes. Any thread. */
public final class BufferedHandle implements StreamStateHandle {
    private static final long serialVersionUID = 1L;

    private final StreamStateHandle handle;
    private final transient ByteCount count;

    /** The count learns of all bytes that streams read. */
    public BufferedHandle(StreamStateHandle handle, ByteCount count) {
        this.handle = handle;
        this.count = count;
    }

    /** Learns how many bytes were read. */
    @FunctionalInterface
    public interface ByteCount {
        void add(long bytes);
    }

    @Override
    public FSDataInputStream openInputStream() throws IOException {
        return new ReadAhead(handle.openInputStream(), count);
    }

    @Override
    public Optional<byte[]> asBytesIfInMemory() {
        return handle.asBytesIfInMemory();
    }

    @Override
    public Optional<Path> maybeGetPath() {
        return handle.maybeGetPath();
    }

    @Override
    public PhysicalStateHandleID getStreamStateHandleID() {
        return handle.getStreamStateHandleID();
    }

    @Override
    public void discardState() {
        throw new UnsupportedOperationException("expected only reads of " + Handles.describe(handle));
    }

    @Override
    public long getStateSize() {
        return handle.getStateSize();
    }

    /** One thread. */
    private static final class ReadAhead extends FSDataInputStream {
        private static final int BUFFER_BYTES = 256 << 10;

        private final FSDataInputStream in;
        private final ByteCount count;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private long bufferBegin;
        private int at;
        private int limit;

        ReadAhead(FSDataInputStream in, ByteCount count) throws IOException {
            this.in = in;
            this.count = count;
            this.bufferBegin = in.getPos();
        }

        @Override
        public void seek(long position) throws IOException {
            if (position >= bufferBegin && position <= bufferBegin + limit) {
                at = (int) (position - bufferBegin);
                return;
            }
            in.seek(position);
            bufferBegin = position;
            at = 0;
            limit = 0;
        }

        @Override
        public long getPos() {
            return bufferBegin + at;
        }

        @Override
        public int read() throws IOException {
            return at < limit || fill() ? buffer[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (at == limit && !fill()) {
                return -1;
            }
            int taken = Math.min(length, limit - at);
            System.arraycopy(buffer, at, bytes, offset, taken);
            at += taken;
            return taken;
        }

        private boolean fill() throws IOException {
            bufferBegin += limit;
            at = 0;
            limit = Math.max(0, in.read(buffer, 0, buffer.length));
            count.add(limit);
            return limit > 0;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
