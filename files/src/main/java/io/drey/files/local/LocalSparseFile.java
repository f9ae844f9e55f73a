package io.drey.files.local;

import io.drey.files.SparseFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A sparse file of a {@link LocalDirectory}: what was not written reads as zeros, and takes no space. */
final class LocalSparseFile implements SparseFile {
    private final String description;
    private final SteadyChannel channel;
    private final long bytes;

    LocalSparseFile(String description, ChannelSource source, long bytes) throws IOException {
        this.description = description;
        this.bytes = bytes;
        this.channel = new SteadyChannel(description, source);
        boolean sized = false;
        try {
            if (bytes > 0) {
                write(bytes - 1, ByteBuffer.allocate(1));
            }
            sized = true;
        } finally {
            if (!sized) {
                channel.close();
            }
        }
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
        if (position < 0 || position + from.remaining() > bytes) {
            throw new EOFException("expected to write within " + bytes + " bytes of " + description + ", found "
                    + from.remaining() + " bytes at " + position);
        }
        int start = from.position();
        channel.run(open -> {
            while (from.hasRemaining()) {
                open.write(from, position + (from.position() - start));
            }
        });
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
