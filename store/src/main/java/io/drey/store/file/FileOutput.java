package io.drey.store.file;

import io.drey.files.WritableFile;
import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes to a file from memory outside the heap, in large pieces. One thread. */
public final class FileOutput implements AutoCloseable {
    private final WritableFile file;
    private final int bufferBytes;
    private final Scratch buffer;
    private ByteBuffer view;
    private int length;
    private long position;
    private long writes;

    public FileOutput(WritableFile file, int bufferBytes, Arena arena, Overdraft overdraft) {
        this.file = file;
        this.bufferBytes = bufferBytes;
        this.buffer = new Scratch(arena, overdraft);
    }

    /** Where the next byte goes. */
    public long position() {
        return position;
    }

    /** Writes to the file so far. */
    public long writes() {
        return writes;
    }

    /** Appends memory, sooner or later. */
    public void write(long address, int count) throws IOException {
        if (count == 0) {
            return;
        }
        if (count > bufferBytes - length) {
            flush();
        }
        if (count >= bufferBytes) {
            writeThrough(address, count);
        } else {
            Memory.copy(address, buffer.reserve(bufferBytes) + length, count);
            length += count;
        }
        position += count;
    }

    /** Hands all of it to the file. */
    public void flush() throws IOException {
        if (length > 0) {
            writeThrough(buffer.address(), length);
            length = 0;
        }
    }

    private void writeThrough(long address, int count) throws IOException {
        if (view == null) {
            view = Memory.wrap(address, count);
        } else {
            Memory.rewrap(view, address, count);
        }
        file.write(view);
        writes++;
    }

    @Override
    public void close() {
        buffer.close();
        length = 0;
    }
}
