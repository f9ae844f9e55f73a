package io.drey.files.local;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Direct I/O in one directory: past the page cache, between the disk and aligned memory, in whole blocks of the file
 * system. Here is what turns any range of a file into such I/Os.
 */
final class DirectIo {
    static final OpenOption OPTION = ExtendedOpenOption.DIRECT;

    private static final String PROBE = ".direct-io-probe";

    private final int alignment;
    private final BounceBuffers buffers;

    DirectIo(int alignment, BounceBuffers buffers) {
        this.alignment = alignment;
        this.buffers = buffers;
    }

    /** Tries direct I/O in a directory, and throws if its file system does not do it. */
    static DirectIo at(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        try {
            DirectIo io = new DirectIo(alignment(store.getBlockSize()), BounceBuffers.SHARED);
            io.probe(directory.resolve(PROBE));
            return io;
        } catch (IOException | UnsupportedOperationException e) {
            throw new IOException(
                    "expected direct I/O to work in " + directory + " (" + store.type() + "), found that it does not: "
                            + e.getMessage()
                            + "; use a directory in the file system of a disk, such as ext4 or xfs, or do"
                            + " without direct I/O",
                    e);
        }
    }

    static int alignment(long blockBytes) throws IOException {
        if (blockBytes < 1 || blockBytes > BounceBuffers.ALIGNMENT_MAX || Long.bitCount(blockBytes) != 1) {
            throw new IOException("its blocks have " + blockBytes + " bytes, expected a power of two of at most "
                    + BounceBuffers.ALIGNMENT_MAX);
        }
        return (int) blockBytes;
    }

    /** Some file systems refuse to open a file so, others to read or write it. */
    private void probe(Path file) throws IOException {
        ByteBuffer buffer = buffers.take();
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE,
                OPTION)) {
            buffer.limit(alignment).put(0, (byte) 'D');
            int written = channel.write(buffer, 0);
            buffer.clear().limit(alignment).put(0, (byte) 0);
            int read = channel.read(buffer, 0);
            if (written != alignment || read != alignment || buffer.get(0) != 'D') {
                throw new IOException("wrote " + written + " and read " + read + " bytes of a block of " + alignment);
            }
        } finally {
            buffers.give(buffer);
            // Where the file could not be opened so, it was created nevertheless.
            Files.deleteIfExists(file);
        }
    }

    int alignment() {
        return alignment;
    }

    BounceBuffers buffers() {
        return buffers;
    }

    /**
     * Fills the remaining bytes of a buffer from a position of a channel. Says how far it got: to the position after
     * them, or to the end of the file before that.
     */
    long read(SteadyChannel channel, long position, ByteBuffer into) throws IOException {
        ByteBuffer bounce = buffers.take();
        try {
            long at = position;
            while (into.hasRemaining()) {
                long from = at & -alignment;
                int skip = (int) (at - from);
                int wanted = Math.min(skip + into.remaining(), largest(skip + into.remaining()));
                fill(channel, from, bounce, wanted);
                int found = Math.min(wanted, bounce.position()) - skip;
                if (found > 0) {
                    into.put(bounce.position(skip).limit(skip + found));
                    at += found;
                }
                if (skip + found < wanted) {
                    return at;
                }
            }
            return at;
        } finally {
            buffers.give(bounce);
        }
    }

    /** What is read at once of so many bytes from the begin of a block: all, if a buffer holds that. */
    private static int largest(int bytes) {
        return bytes <= BounceBuffers.BUFFER_BYTES ? bytes : BounceBuffers.IO_BYTES_MAX;
    }

    /** Reads whole blocks until the buffer has {@code wanted} bytes, or as many as there are. */
    private void fill(SteadyChannel channel, long from, ByteBuffer bounce, int wanted) throws IOException {
        int span = (wanted + alignment - 1) & -alignment;
        bounce.clear().limit(span);
        channel.run(open -> {
            int filled = bounce.position();
            while (filled < wanted) {
                // After a short read, from the begin of the block in which it ended.
                int start = filled & -alignment;
                int count = open.read(bounce.position(start), from + start);
                if (start + count <= filled) {
                    bounce.position(filled);
                    return;
                }
                filled = start + count;
            }
        });
    }
}
