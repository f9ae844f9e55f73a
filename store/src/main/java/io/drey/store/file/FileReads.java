package io.drey.store.file;

import io.drey.files.FarAwayException;
import io.drey.files.ReadableFile;
import io.drey.foundation.DreyException;
import io.drey.foundation.FileFaults;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** Reads files into memory outside the heap, and counts. One thread. */
public final class FileReads {
    private final LongSupplier clock;
    private ByteBuffer view;
    private long count;
    private long bytes;
    private long nanos;

    public FileReads() {
        this(System::nanoTime);
    }

    /** Reads that are measured with a clock that tells nanoseconds. */
    public FileReads(LongSupplier clock) {
        this.clock = clock;
    }

    /** When it is, in nanoseconds. */
    public long now() {
        return clock.getAsLong();
    }

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
        long start = now();
        try {
            file.read(position, view);
            nanos += now() - start;
        } catch (IOException e) {
            boolean isFar = e instanceof FarAwayException;
            if (!isFar) {
                FileFaults.found();
            }
            throw new DreyException(
                    "expected to read " + length + " bytes at " + position + " of file " + file.name() + ", found "
                            + e.getMessage() + (isFar ? "" : "; check the disk"),
                    e);
        }
    }
}
