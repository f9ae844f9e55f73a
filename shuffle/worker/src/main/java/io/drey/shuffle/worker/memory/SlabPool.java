package io.drey.shuffle.worker.memory;

import io.drey.shuffle.protocol.block.BlockFormat;
import java.util.ArrayDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The memory of a worker for data under way. Who wants slabs first reserves them, as a writer or as a reader, and so
 * always gets what was reserved; neither of the two kinds can have more than three quarters of all. Slabs are made when
 * they are first needed. Its methods are called once a slab, not once a block: they may lock.
 */
public final class SlabPool {
    /** Above this share in use, writers get no more than one slab each. */
    private static final double SOFT = 0.7;

    private static final double SHARE = 0.75;

    /** This part of the slabs at most may hold what readers have no credit for: nobody waits for those to be given back. */
    private static final int AHEAD_PART = 8;

    /** The largest block, which is read from its first byte. */
    private static final int BLOCK_SLABS =
            (BlockFormat.HEADER_BYTES + BlockFormat.PAYLOAD_BYTES_MAX + Slab.BYTES - 1) / Slab.BYTES;

    private final Supplier<Slab> source;
    private final int capacity;
    private final int shareMax;
    private final ArrayDeque<Slab> free = new ArrayDeque<>();
    private final CopyOnWriteArrayList<Runnable> waiting = new CopyOnWriteArrayList<>();
    private final int aheadMax;
    private final AtomicInteger ahead = new AtomicInteger();
    private int made;
    private int writing;
    private int reading;

    /** @param bytes all its memory; at least four slabs */
    public SlabPool(long bytes) {
        this(bytes, Slab::new);
    }

    /** @param source of slabs, for a new pool that has those of an old one */
    SlabPool(long bytes, Supplier<Slab> source) {
        this.source = source;
        long slabs = bytes / Slab.BYTES;
        if (slabs < 4 || slabs > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("expected memory for at least 4 slabs of " + Slab.BYTES
                    + " bytes, found " + bytes + " bytes: raise the worker's memory");
        }
        this.capacity = (int) slabs;
        this.shareMax = (int) (capacity * SHARE);
        // Writers may wait for readers: beside all that writers and what is read ahead hold, each block can be read.
        int left = capacity - shareMax - BLOCK_SLABS;
        this.aheadMax = left < 0 ? capacity / AHEAD_PART : Math.min(left, capacity / AHEAD_PART);
    }

    /** Called, in any thread, whenever readers may get slabs again. */
    public void whenFree(Runnable wake) {
        waiting.add(wake);
    }

    public void forget(Runnable wake) {
        waiting.remove(wake);
    }

    /** Whether so many slabs now are a writer's: until {@link #unreserve}. */
    public synchronized boolean reserveToWrite(int slabs) {
        boolean fits = writing + slabs <= shareMax && writing + reading + slabs <= capacity;
        writing += fits ? slabs : 0;
        return fits;
    }

    public void unreserveToWrite(int slabs) {
        synchronized (this) {
            writing -= slabs;
            assert writing >= 0 : writing;
        }
        wake();
    }

    /** Whether more memory than the soft limit is in use: writers should shrink. */
    public synchronized boolean isTight() {
        return writing + reading > capacity * SOFT;
    }

    /** Reserves and takes slabs for a read, or none if there are not so many. */
    public synchronized boolean takeToRead(Slab[] into, int count) {
        if (reading + count > shareMax || writing + reading + count > capacity) {
            return false;
        }
        int taken = 0;
        try {
            while (taken < count) {
                into[taken] = take();
                into[taken++].users(1);
            }
        } catch (OutOfMemoryError e) {
            while (taken > 0) {
                free.push(into[--taken]);
            }
            throw e;
        }
        reading += count;
        return true;
    }

    /** So many more slabs, or less, hold what cannot be sent yet; whether they may. */
    public boolean keepAhead(int more) {
        if (ahead.addAndGet(more) <= aheadMax || more <= 0) {
            return true;
        }
        ahead.addAndGet(-more);
        return false;
    }

    public boolean hasRoomAhead(int slabs) {
        return ahead.get() + slabs <= aheadMax;
    }

    /** A user of a slab that was taken to read has done. */
    public void release(Slab slab) {
        if (slab.removeUser()) {
            synchronized (this) {
                reading--;
                free.push(slab);
            }
            wake();
        }
    }

    /** A slab of those that were reserved. */
    synchronized Slab take() {
        Slab slab = free.poll();
        if (slab == null) {
            assert made < capacity : made;
            slab = source.get();
            made++;
        }
        return slab;
    }

    /** Gives a writer's slab back; it stays reserved. */
    synchronized void give(Slab slab) {
        free.push(slab);
    }

    private void wake() {
        for (Runnable each : waiting) {
            each.run();
        }
    }

    public long bytes() {
        return (long) capacity * Slab.BYTES;
    }

    /** Reserved by writers and readers. */
    public synchronized long usedBytes() {
        return (long) (writing + reading) * Slab.BYTES;
    }

    /** Slabs that no one reserved. */
    public synchronized int unreserved() {
        return capacity - writing - reading;
    }
}
