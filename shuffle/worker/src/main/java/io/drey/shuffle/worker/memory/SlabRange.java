package io.drey.shuffle.worker.memory;

import io.netty.buffer.ByteBuf;

/** Bytes that were read from a file, in slabs of which it is a user until it is released. One thread at a time. */
public final class SlabRange {
    private final SlabPool pool;
    private final Slab[] slabs;
    private int from;
    private int bytes;

    /** @param from where in the first slab it begins */
    private SlabRange(SlabPool pool, Slab[] slabs, int from, int bytes) {
        this.pool = pool;
        this.slabs = slabs;
        this.from = from;
        this.bytes = bytes;
    }

    /** Some of the bytes that lie in slabs back to back, with slabs of its own to release. */
    public static SlabRange of(SlabPool pool, Slab[] slabs, int at, int bytes) {
        int first = at / Slab.BYTES;
        Slab[] held = new Slab[(at + bytes - 1) / Slab.BYTES - first + 1];
        for (int i = 0; i < held.length; i++) {
            held[i] = slabs[first + i];
            held[i].addUser();
        }
        return new SlabRange(pool, held, at % Slab.BYTES, bytes);
    }

    public int bytes() {
        return bytes;
    }

    public Slab first() {
        return slabs[from / Slab.BYTES];
    }

    public Slab last() {
        return slabs[(from + bytes - 1) / Slab.BYTES];
    }

    /** How many slabs it keeps from being used again. */
    public int slabs() {
        return (from + bytes - 1) / Slab.BYTES - from / Slab.BYTES + 1;
    }

    /** The four bytes at a place of it, little endian. */
    public int getInt(int at) {
        return Slab.getInt(slabs, from + at);
    }

    /** The first bytes become a range of their own, and are no longer of this one; some are left. */
    public SlabRange take(int length) {
        SlabRange taken = of(pool, slabs, from, length);
        int next = from + length;
        for (int i = from / Slab.BYTES; i < next / Slab.BYTES; i++) {
            pool.release(slabs[i]);
        }
        from = next;
        bytes -= length;
        return taken;
    }

    /** What of it lies in one of its slabs, to be sent before it is released. */
    public ByteBuf slice(int slab) {
        int begin = slab == 0 ? from % Slab.BYTES : 0;
        int index = from / Slab.BYTES + slab;
        return slabs[index].slice(begin, Math.min(Slab.BYTES, from + bytes - index * Slab.BYTES) - begin);
    }

    public void release() {
        for (int i = from / Slab.BYTES; i <= (from + bytes - 1) / Slab.BYTES; i++) {
            pool.release(slabs[i]);
        }
    }
}
