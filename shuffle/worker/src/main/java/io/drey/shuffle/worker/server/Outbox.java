package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.block.RunHeader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Holds what devices have for a connection: runs of blocks, gathered into frames, and control frames between them,
 * in order. Memory that holds what is read and not sent is limited: a slow client holds little of it.
 */
final class Outbox {
    /** Bytes of slabs with what is read and not yet sent, above which nothing more is read: so many at least. */
    private static final long UNSENT_BYTES_LEAST = 4L << 20;

    /** And this part of the memory. */
    private static final int UNSENT_PART = 8;

    /** Runs are gathered up to so many bytes a frame. */
    private static final int FRAME_BYTES = 1 << 20;

    private final Channel channel;
    private final Predicate<Runnable> loop;
    private final long unsentBytesMax;
    private final ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ReadChannel> blocked = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong unsent = new AtomicLong();

    /** The event loop's: the runs of one frame, and perhaps the control frame that ends it. */
    private final ArrayDeque<Object> gathered = new ArrayDeque<>();

    private int runs;
    private int runBytes;
    private volatile Slab lastSlab;
    private volatile boolean closed;

    /** @param loop runs something in the event loop, where what it throws ends the connection; false if that has ended */
    Outbox(Channel channel, Predicate<Runnable> loop, SlabPool pool) {
        this.channel = channel;
        this.loop = loop;
        this.unsentBytesMax = Math.max(UNSENT_BYTES_LEAST, pool.bytes() / UNSENT_PART);
    }

    /**
     * A range waits to be sent from now on, until {@link #sent}; returns the bytes of the slabs that it keeps. One that
     * it shares with the range before is counted there.
     */
    int hold(SlabRange range) {
        boolean isShared = range.first() == lastSlab;
        lastSlab = range.last();
        int held = (range.slabs() - (isShared ? 1 : 0)) * Slab.BYTES;
        unsent.addAndGet(held);
        return held;
    }

    void add(DataRun run) {
        offer(run);
    }

    /** A control frame, which is made in the event loop: without memory for it the connection ends, and nobody waits. */
    void add(Supplier<ByteBuf> frame) {
        offer(frame);
    }

    private void offer(Object each) {
        queue.add(each);
        if (closed || (scheduled.compareAndSet(false, true) && !loop.test(this::drain))) {
            discard(queue);
        }
    }

    /** The event loop: sends what is there, up to where the client does not take it; goes on when it does again. */
    void drain() {
        scheduled.set(false);
        for (Object each = next(); each != null; each = next()) {
            gathered.add(each);
            if (each instanceof DataRun run) {
                runs++;
                runBytes += run.bytes() + RunHeader.HEADER_BYTES;
            }
            if (runBytes >= FRAME_BYTES || !(each instanceof DataRun)) {
                write();
            }
        }
        write();
        channel.flush();
    }

    private Object next() {
        return channel.isWritable() ? queue.poll() : null;
    }

    /**
     * Writes what is gathered. Each is taken out before it is written: whatever fails, and ends the connection perhaps
     * in the midst, it is given back once, by its promise or by {@link #close}.
     */
    private void write() {
        if (closed) {
            discard(gathered);
            return;
        }
        ByteBuf heads = Unpooled.EMPTY_BUFFER;
        if (runs > 0) {
            // Of all runs at once: there is memory for a whole frame, or none of it is begun.
            heads = channel.alloc().ioBuffer(FrameHeader.BYTES + runs * RunHeader.HEADER_BYTES);
            FrameHeader.put(heads, FrameType.DATA, 0, 0, runs, 0, runBytes);
        }
        runs = 0;
        runBytes = 0;
        try {
            for (Object each = gathered.poll(); each != null; each = gathered.poll()) {
                if (each instanceof DataRun run) {
                    run.write(channel, heads);
                } else {
                    channel.write(((Supplier<?>) each).get(), channel.voidPromise());
                }
            }
        } finally {
            heads.release();
        }
    }

    /** Bytes of data that are read and not sent. */
    long unsentBytes() {
        return unsent.get();
    }

    boolean mayRead(ReadChannel reader) {
        if (unsent.get() < unsentBytesMax) {
            return true;
        }
        blocked.add(reader);
        // What was sent meanwhile has not seen the reader in the queue.
        if (unsent.get() < unsentBytesMax) {
            wake();
        }
        return false;
    }

    void sent(int bytes) {
        if (unsent.addAndGet(-bytes) < unsentBytesMax / 2 && !blocked.isEmpty()) {
            wake();
        }
    }

    private void wake() {
        List<ReadChannel> free = new ArrayList<>();
        for (ReadChannel each = blocked.poll(); each != null; each = blocked.poll()) {
            free.add(each);
        }
        ReadChannel.submit(free);
    }

    /** The event loop: nothing is sent any more; what is written already is released by its promises. */
    void close() {
        closed = true;
        discard(gathered);
        discard(queue);
        blocked.clear();
    }

    private static void discard(Queue<Object> unsent) {
        for (Object each = unsent.poll(); each != null; each = unsent.poll()) {
            if (each instanceof DataRun run) {
                run.release();
            }
        }
    }
}
