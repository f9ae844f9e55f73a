package io.drey.shuffle.worker.memory;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * The end of a file that is still in memory: bytes that one thread appends and another writes out. They lie in slabs
 * without gaps, in a ring. Allocates nothing and locks nothing but the pool, once a slab.
 *
 * <p>Order between the two: what the producer did to slabs and ring happens before it sets {@code appended}, which the
 * consumer reads first; the consumer's last look at a slab happens before it sets {@code flushed}, which the producer
 * reads before it uses the slab for anything else.
 */
public final class SlabStream {
    /** Most slabs of one stream. */
    public static final int SLABS_MAX = 16;

    private static final int RING = 2 * SLABS_MAX;

    private final SlabPool pool;
    private final Slab[] slabs = new Slab[RING];

    /** Per slab: which byte of the stream its first one is. */
    private final long[] starts = new long[RING];

    private int reserved;

    /** The oldest slab that is not given back, and the one that is filled; the producer's. */
    private int first;

    private int last;

    /** The slab with the next byte to write; the consumer's. */
    private int head;

    private volatile long appended;
    private volatile long flushed;

    /** @param reserved slabs of the pool that are the stream's from now on */
    public SlabStream(SlabPool pool, int reserved) {
        this.pool = pool;
        this.reserved = reserved;
    }

    public long appended() {
        return appended;
    }

    public long flushed() {
        return flushed;
    }

    public int reserved() {
        return reserved;
    }

    /**
     * Producer: makes the stream larger or smaller by slabs that are reserved, or no longer; fewer only when it is
     * empty.
     */
    public void resize(int newReserved) {
        assert newReserved >= 1 && newReserved <= SLABS_MAX && (newReserved >= reserved || isEmpty());
        if (newReserved < reserved) {
            giveBack(flushed);
            restart();
        }
        reserved = newReserved;
    }

    public boolean isEmpty() {
        return flushed == appended;
    }

    /** Producer: up to which byte of the stream there is memory. Grows, and never shrinks but by {@link #resize}. */
    public long limit() {
        // Looked at once: what is written between two looks would leave slabs that are neither needed nor given back.
        long done = flushed;
        giveBack(done);
        if (done == appended) {
            restart();
        }
        return starts[first] + (long) reserved * Slab.BYTES;
    }

    /** Gives back slabs that are written as a whole, up to a byte, but for the last. */
    private void giveBack(long done) {
        while (first != last && starts[first] + Slab.BYTES <= done) {
            pool.give(slabs[first]);
            slabs[first] = null;
            first = (first + 1) % RING;
        }
    }

    /** Nothing waits: the one slab left begins anew. */
    private void restart() {
        assert first == last;
        starts[first] = appended;
    }

    /** Producer: appends bytes for which there is memory. */
    public void append(ByteBuf in, int length) {
        long at = appended;
        int todo = length;
        while (todo > 0) {
            if (slabs[last] == null) {
                slabs[last] = pool.take();
            } else if (at == starts[last] + Slab.BYTES) {
                int next = (last + 1) % RING;
                starts[next] = at;
                slabs[next] = pool.take();
                last = next;
            }
            int from = (int) (at - starts[last]);
            int part = Math.min(todo, Slab.BYTES - from);
            slabs[last].put(from, in, part);
            at += part;
            todo -= part;
        }
        assert at <= starts[first] + (long) reserved * Slab.BYTES : at;
        appended = at;
    }

    /**
     * Consumer: the bytes that wait, as views in the order of the file.
     *
     * @return how many views
     */
    public int gather(ByteBuffer[] views, int bytesMax) {
        long end = Math.min(appended, flushed + bytesMax);
        long at = flushed;
        int count = 0;
        int slab = head;
        while (at < end) {
            if (at == starts[slab] + Slab.BYTES) {
                slab = (slab + 1) % RING;
            }
            long to = Math.min(end, starts[slab] + Slab.BYTES);
            views[count++] = slabs[slab].view((int) (at - starts[slab]), (int) (to - starts[slab]));
            at = to;
        }
        return count;
    }

    /** Consumer: so many bytes of them are written. */
    public void written(long bytes) {
        long at = flushed;
        long end = at + bytes;
        while (end > starts[head] + Slab.BYTES || at == starts[head] + Slab.BYTES) {
            at = starts[head] + Slab.BYTES;
            head = (head + 1) % RING;
        }
        flushed = end;
    }

    /** Producer, when the consumer does not look at it any more: gives all back. */
    public void close() {
        for (int i = 0; i < RING; i++) {
            if (slabs[i] != null) {
                pool.give(slabs[i]);
                slabs[i] = null;
            }
        }
        pool.unreserveToWrite(reserved);
        reserved = 0;
    }
}
