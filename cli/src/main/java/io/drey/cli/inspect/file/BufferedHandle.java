package io.drey.cli.inspect.file;

import java.io.IOException;
import java.nio.ByteBuffer;
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
        return new ReadAhead(new HandleFile(handle), count);
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

    /** Reads whole blocks. One thread. */
    private static final class ReadAhead extends FSDataInputStream {
        private static final int BUFFER_BYTES = 1 << 20;
        private static final int BLOCK_BYTES = 4 << 10;

        private final HandleFile file;
        private final ByteCount count;
        private final byte[] buffer;
        private long position;
        private long bufferBegin;
        private int limit;

        ReadAhead(HandleFile file, ByteCount count) {
            this.file = file;
            this.count = count;
            this.buffer = new byte[(int) Math.min(BUFFER_BYTES, file.size())];
        }

        @Override
        public void seek(long to) {
            position = to;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public int read() throws IOException {
            return isThere() ? buffer[(int) (position++ - bufferBegin)] & 0xFF : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!isThere()) {
                return -1;
            }
            int at = (int) (position - bufferBegin);
            int taken = Math.min(length, limit - at);
            System.arraycopy(buffer, at, bytes, offset, taken);
            position += taken;
            return taken;
        }

        /** Whether the next byte is in the buffer, after it was filled if need be; else the file ends here. */
        private boolean isThere() throws IOException {
            if (position >= bufferBegin && position < bufferBegin + limit) {
                return true;
            }
            if (position >= file.size()) {
                return false;
            }
            long begin = position & -BLOCK_BYTES;
            int bytes = (int) Math.min(buffer.length, file.size() - begin);
            limit = 0;
            file.read(begin, ByteBuffer.wrap(buffer, 0, bytes));
            bufferBegin = begin;
            limit = bytes;
            count.add(bytes);
            return true;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
