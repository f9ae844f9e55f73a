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

    public long count() {
        return count;
    }

    public long bytes() {
        return bytes;
    }

    public void read(ReadableFile file, long position, long address, int length) {
        if (view == null) {
            view = Memory.wrap(address, length);
        } else {
            Memory.rewrap(view, address, length);
        }
        count++;
        bytes += length;
        try {
            file.read(position, view);
        } catch (IOException e) {
            throw new DreyException(
                    "expected to read " + length + " bytes at " + position + " of file " + file.name() + ", found "
                            + e.getMessage() + "; check the disk",
                    e);
        }
    }
}
