package io.drey.files.local;

import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of a {@link LocalDirectory} with direct I/O while it is written. Whole blocks go to the disk as they come, at
 * most {@link BounceBuffers#IO_BYTES_MAX} bytes at once. What does not fill a block waits here for the next write; a
 * sync and the close write it through the page cache, so that the file has its exact length at any time that somebody
 * looks.
 *
 * <p>Two channels, both open from the start: the rest can be written also when the file has lost its name meanwhile.
 * The kernel keeps them coherent, and no block is written by both unless there was a sync in the middle of it.
 */
final class DirectWritableFile implements WritableFile {
    private final String name;
    private final String description;
    private final DirectIo io;
    private final SteadyChannel blocks;
    private final SteadyChannel rest;
    private final SteadyChannel.Action afterFirstSync;

    /** What does not fill a block yet: the last bytes of the file. */
    private final byte[] tail;

    private int tailLength;
    private int tailWritten;
    private long position;
    private boolean entered;
    private boolean failed;
    private boolean closed;

    /** A file whose channels the sources open: the first one direct and creating the file, the second one not. */
    DirectWritableFile(
            String name,
            String description,
            DirectIo io,
            ChannelSource blocks,
            ChannelSource rest,
            SteadyChannel.Action afterFirstSync)
            throws IOException {
        this.name = name;
        this.description = description;
        this.io = io;
        this.tail = new byte[io.alignment()];
        this.afterFirstSync = afterFirstSync;
        this.blocks = new SteadyChannel(description, blocks);
        boolean opened = false;
        try {
            this.rest = new SteadyChannel(description, rest);
            opened = true;
        } finally {
            if (!opened) {
                this.blocks.close();
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public ByteBuffer pending() {
        return ByteBuffer.wrap(tail, 0, tailLength).asReadOnlyBuffer();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        checkUsable();
        if (tailLength + bytes.remaining() >= tail.length) {
            failed = true;
            writeBlocks(bytes);
            failed = false;
        }
        int count = bytes.remaining();
        bytes.get(tail, tailLength, count);
        tailLength += count;
        position += count;
    }

    /** Writes the tail and what follows it, and leaves less than a block of the buffer. */
    private void writeBlocks(ByteBuffer bytes) throws IOException {
        ByteBuffer bounce = io.buffers().take();
        try {
            while (tailLength + bytes.remaining() >= tail.length) {
                int total = Math.min(BounceBuffers.IO_BYTES_MAX, tailLength + bytes.remaining()) & -tail.length;
                int count = total - tailLength;
                bounce.clear().put(tail, 0, tailLength).put(bytes.slice(bytes.position(), count));
                writeAll(blocks, bounce.flip(), position - tailLength);
                bytes.position(bytes.position() + count);
                position += count;
                tailLength = 0;
                tailWritten = 0;
            }
        } finally {
            io.buffers().give(bounce);
        }
    }

    private static void writeAll(SteadyChannel channel, ByteBuffer bytes, long from) throws IOException {
        channel.run(open -> {
            // The buffer's position says what is written, also across a reopened channel.
            while (bytes.hasRemaining()) {
                open.write(bytes, from + bytes.position());
            }
        });
    }

    private void writeTail() throws IOException {
        if (tailWritten < tailLength) {
            writeAll(rest, ByteBuffer.wrap(tail, 0, tailLength), position - tailLength);
            tailWritten = tailLength;
        }
    }

    @Override
    public void sync() throws IOException {
        checkUsable();
        writeTail();
        rest.run(open -> {
            open.force(false);
            if (!entered) {
                afterFirstSync.run(open);
                entered = true;
            }
        });
    }

    private void checkUsable() throws IOException {
        if (closed) {
            throw new IOException("expected " + description + " to be open, found it closed");
        }
        if (failed) {
            throw new IOException("expected every write of " + description
                    + " to succeed, found that one failed before:" + " write the file again");
        }
    }

    /** Writes the rest, unless a write failed: then the file is of no use, and that was told. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (!failed) {
                writeTail();
            }
        } finally {
            try {
                blocks.close();
            } finally {
                rest.close();
            }
        }
    }
}
