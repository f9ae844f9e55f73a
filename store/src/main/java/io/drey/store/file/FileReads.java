package io.drey.store.file;

import io.drey.files.ReadableFile;
import io.drey.foundation.DreyException;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads files into memory outside the heap, and counts. One thread. */
public final class FileReads {
    private ByteBuffer view;
    private long count;
    private long bytes;
    private long nanos;

    public long count() {
        return count;
    }

    public long bytes() {
        return bytes;
    }

    /** How long all reads took. */
    public long nanos() {
        return nanos;
    }

    public void read(ReadableFile file, long position, long address, int length) {
        if (view == null) {
            view = Memory.wrap(address, length);
        } else {
            Memory.rewrap(view, address, length);
        }
        count++;
        bytes += length;
        long start = System.nanoTime();
        try {
            file.read(position, view);
            nanos += System.nanoTime() - start;
        } catch (IOException e) {
            throw new DreyException(
                    "expected to read " + length + " bytes at " + position + " of file " + file.name() + ", found "
                            + e.getMessage() + "; check the disk",
                    e);
        }
    }
}
