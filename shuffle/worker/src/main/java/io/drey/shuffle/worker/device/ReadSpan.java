package io.drey.shuffle.worker.device;

import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabRange;
import java.nio.ByteBuffer;

/** Bytes of a file that were read in one go, in slabs; used again for the next read. */
public final class ReadSpan {
    private final SlabPool pool;
    private final Slab[] slabs;
    private final ByteBuffer[] views;
    private int count;
    private long start;
    private long length;

    ReadSpan(SlabPool pool, int bytesMax) {
        this.pool = pool;
        this.slabs = new Slab[(bytesMax + Slab.BYTES - 1) / Slab.BYTES];
        this.views = new ByteBuffer[slabs.length];
    }

    /** Takes memory for a range, if there is so much. */
    boolean take(long newStart, int bytes) {
        int wanted = (bytes + Slab.BYTES - 1) / Slab.BYTES;
        if (!pool.takeToRead(slabs, wanted)) {
            return false;
        }
        count = wanted;
        start = newStart;
        length = 0;
        for (int i = 0; i < count; i++) {
            views[i] = slabs[i].bytes();
            views[i].clear().limit(Math.min(Slab.BYTES, bytes - i * Slab.BYTES));
        }
        return true;
    }

    ByteBuffer[] views() {
        return views;
    }

    int count() {
        return count;
    }

    void length(long bytes) {
        length = bytes;
    }

    /** The reader has taken what it can use: the rest is given back. */
    void release() {
        for (int i = 0; i < count; i++) {
            pool.release(slabs[i]);
            slabs[i] = null;
            views[i] = null;
        }
        count = 0;
    }

    /** Where in the file the bytes end. */
    public long end() {
        return start + length;
    }

    /** The four bytes at a place of the file, little endian. */
    public int getInt(long at) {
        return Slab.getInt(slabs, (int) (at - start));
    }

    /** The bytes at a place of the file, to be released by who gets them. */
    public SlabRange range(long at, int bytes) {
        return SlabRange.of(pool, slabs, (int) (at - start), bytes);
    }
}
