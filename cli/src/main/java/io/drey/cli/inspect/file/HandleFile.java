package io.drey.cli.inspect.file;

import com.sun.nio.file.ExtendedOpenOption;
import io.drey.files.ReadableFile;
import io.drey.foundation.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * A file of a checkpoint, read at positions: a file of this machine by a channel, any other by the stream of its handle.
 * Large aligned reads of a file here go past the page cache if its file system does that: who verifies reads everything
 * once, and neither wants to wait for room in the cache nor to drive out what running jobs have there. Any thread.
 */
final class HandleFile implements ReadableFile {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int DIRECT_BYTES_MIN = 512 << 10;

    /** What direct reads are aligned to: the blocks of most file systems; others refuse, and are read as ever. */
    private static final int BLOCK_BYTES = 4 << 10;

    /** The JDK's own aligned buffers fail where a thread reads parts of several sizes. */
    private static final ThreadLocal<ByteBuffer> BOUNCE = ThreadLocal.withInitial(
            () -> ByteBuffer.allocateDirect(DIRECT_BYTES_MIN + BLOCK_BYTES).alignedSlice(BLOCK_BYTES));

    private final String description;
    private final long size;

    /** One of both is null. */
    private final FileChannel channel;

    private final FSDataInputStream in;
    private final byte[] buffer;

    /** Of a file of this machine, or null. */
    private final Path local;

    /** Opened when first needed; null before, and if there are no direct reads. */
    private FileChannel direct;

    private boolean isDirectRefused;

    HandleFile(StreamStateHandle handle) throws IOException {
        this.description = Handles.describe(handle);
        this.size = handle.getStateSize();
        this.local = Handles.local(handle);
        this.channel = local == null ? null : FileChannel.open(local);
        this.in = local == null ? handle.openInputStream() : null;
        this.buffer = local == null ? new byte[BUFFER_BYTES] : null;
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
    public void read(long position, ByteBuffer into) throws IOException {
        if (channel == null) {
            readStream(position, into);
            return;
        }
        boolean fits = into.remaining() >= DIRECT_BYTES_MIN
                && into.remaining() % BLOCK_BYTES == 0
                && position % BLOCK_BYTES == 0;
        long at = fits ? position + readDirect(position, into) : position;
        while (into.hasRemaining()) {
            int count = channel.read(into, at);
            if (count < 0) {
                throw cut(at);
            }
            at += count;
        }
    }

    /** How many bytes came past the page cache; the others are still to be read. */
    private int readDirect(long position, ByteBuffer into) {
        int done = 0;
        try {
            FileChannel open = direct();
            while (open != null && into.hasRemaining() && done % BLOCK_BYTES == 0) {
                ByteBuffer bounce = BOUNCE.get();
                bounce.clear().limit(Math.min(bounce.capacity(), into.remaining()));
                int count = open.read(bounce, position + done);
                if (count <= 0) {
                    return done;
                }
                into.put(bounce.flip());
                done += count;
            }
        } catch (IOException | UnsupportedOperationException e) {
            // Not here, or not so: the channel reads the same, and says what is wrong with it.
            refuseDirect();
        }
        return done;
    }

    private synchronized FileChannel direct() throws IOException {
        if (direct == null && !isDirectRefused) {
            direct = FileChannel.open(local, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
        }
        return isDirectRefused ? null : direct;
    }

    private synchronized void refuseDirect() {
        isDirectRefused = true;
    }

    private synchronized void readStream(long position, ByteBuffer into) throws IOException {
        in.seek(position);
        while (into.hasRemaining()) {
            int count = in.read(buffer, 0, Math.min(buffer.length, into.remaining()));
            if (count < 0) {
                throw cut(in.getPos());
            }
            into.put(buffer, 0, count);
        }
    }

    private CorruptFileException cut(long end) {
        return new CorruptFileException(description, end, size + " bytes", "its end");
    }

    @Override
    public void close() throws IOException {
        if (channel == null) {
            in.close();
            return;
        }
        channel.close();
        if (direct != null) {
            direct.close();
        }
    }
}
