package io.drey.shuffle.worker.device;

import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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
            views[i] = slabs[i].bytes().order(ByteOrder.LITTLE_ENDIAN);
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
        int from = (int) (at - start);
        int slab = from / Slab.BYTES;
        int in = from % Slab.BYTES;
        if (in + Integer.BYTES <= Slab.BYTES) {
            return slabs[slab].bytes().getInt(in);
        }
        int value = 0;
        for (int i = Integer.BYTES - 1; i >= 0; i--) {
            int each = from + i;
            value = value << 8 | (slabs[each / Slab.BYTES].bytes().get(each % Slab.BYTES) & 0xff);
        }
        return value;
    }

    /** Gives a user the slabs that hold a range; it must release each. */
    public Slab[] retain(long at, int bytes) {
        int from = (int) (at - start) / Slab.BYTES;
        int to = (int) (at + bytes - 1 - start) / Slab.BYTES;
        Slab[] held = new Slab[to - from + 1];
        for (int i = from; i <= to; i++) {
            pool.retain(slabs[i]);
            held[i - from] = slabs[i];
        }
        return held;
    }

    /** Where in the first of these slabs the place is. */
    public int inSlab(long at) {
        return (int) (at - start) % Slab.BYTES;
    }
}
