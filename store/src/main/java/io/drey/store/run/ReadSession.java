package io.drey.store.run;

import io.drey.store.cache.FrameCache;

/** What one thread reads runs with, again and again: buffers, checksum, caches, pooled cursors, counters. */
public final class ReadSession implements AutoCloseable {
    /** A session of the owner: blocks and filter pages are read through the caches. */
    public static ReadSession owner(RunMemory memory, FrameCache blocks, FrameCache filters, int readAheadBytes) {
        throw new UnsupportedOperationException();
    }

    /** A session of a background job: no caches, sequential reads of {@code readAheadBytes}. */
    public static ReadSession background(RunMemory memory, int readAheadBytes) {
        throw new UnsupportedOperationException();
    }

    /** Address of the value found last; valid until the session is used again. */
    public long valueAddress() {
        throw new UnsupportedOperationException();
    }

    public int valueLength() {
        throw new UnsupportedOperationException();
    }

    /** Reads of files so far. */
    public long reads() {
        throw new UnsupportedOperationException();
    }

    public long bytesRead() {
        throw new UnsupportedOperationException();
    }

    /** Gives back all memory; cursors must be closed before. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
