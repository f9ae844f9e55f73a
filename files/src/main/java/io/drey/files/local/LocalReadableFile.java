package io.drey.files.local;

import io.drey.files.ReadableFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A finished file of a {@link LocalDirectory}. */
final class LocalReadableFile implements ReadableFile {
    private final String name;
    private final String description;
    private final SteadyChannel channel;

    /** One object for all reads. */
    private final SteadyChannel.Transfer readFully = this::readFully;

    private final long size;

    /** Null if reads go through the page cache. */
    private final DirectIo direct;

    LocalReadableFile(String name, String description, ChannelSource source) throws IOException {
        this(name, description, source, null);
    }

    LocalReadableFile(String name, String description, ChannelSource source, DirectIo direct) throws IOException {
        this.name = name;
        this.description = description;
        this.direct = direct;
        this.channel = new SteadyChannel(description, source);
        try {
            long[] found = new long[1];
            channel.run(open -> found[0] = open.size());
            this.size = found[0];
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
        if (position < 0 || position + into.remaining() > size) {
            throw new EOFException("expected " + into.remaining() + " bytes at " + position + " of " + description
                    + ", found only " + size + " bytes in it");
        }
        if (direct != null) {
            long end = direct.read(channel, position, into);
            if (into.hasRemaining()) {
                throw cut(end);
            }
            return;
        }
        channel.run(readFully, into, position - into.position());
    }

    /** The buffer's position says what has arrived, also across a reopened channel. */
    private void readFully(FileChannel open, ByteBuffer into, long beforeBuffer) throws IOException {
        while (into.hasRemaining()) {
            long at = beforeBuffer + into.position();
            if (open.read(into, at) < 0) {
                throw cut(at);
            }
        }
    }

    private EOFException cut(long end) {
        return new EOFException("expected " + size + " bytes in " + description + ", found its end at " + end
                + ": it was cut while open");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
