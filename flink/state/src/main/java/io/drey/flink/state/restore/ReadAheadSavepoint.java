package io.drey.flink.state.restore;

import java.io.IOException;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;

/**
 * A part of a canonical savepoint, read ahead: Flink's reader asks for the two lengths of each row byte by byte, and of a
 * file each is a call of the system.
 */
final class ReadAheadSavepoint extends KeyGroupsSavepointStateHandle {
    private static final long serialVersionUID = 1L;

    ReadAheadSavepoint(KeyGroupsSavepointStateHandle part) {
        super(part.getGroupRangeOffsets(), part.getDelegateStateHandle());
    }

    @Override
    public FSDataInputStream openInputStream() throws IOException {
        return new ReadAhead(super.openInputStream());
    }

    /** One thread. */
    private static final class ReadAhead extends FSDataInputStream {
        private final FSDataInputStream in;
        private final byte[] buffer = new byte[64 << 10];
        private int at;
        private int limit;

        ReadAhead(FSDataInputStream in) {
            this.in = in;
        }

        @Override
        public void seek(long to) throws IOException {
            long begin = in.getPos() - limit;
            if (to >= begin && to <= begin + limit) {
                at = (int) (to - begin);
            } else {
                in.seek(to);
                at = 0;
                limit = 0;
            }
        }

        @Override
        public long getPos() throws IOException {
            return in.getPos() - limit + at;
        }

        @Override
        public int read() throws IOException {
            return isThere() ? buffer[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!isThere()) {
                return -1;
            }
            int taken = Math.min(length, limit - at);
            System.arraycopy(buffer, at, bytes, offset, taken);
            at += taken;
            return taken;
        }

        /** Whether the next byte is in the buffer, after it was filled if need be; else the file ends here. */
        private boolean isThere() throws IOException {
            if (at == limit) {
                at = 0;
                limit = 0;
                limit = Math.max(0, in.read(buffer, 0, buffer.length));
            }
            return at < limit;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
