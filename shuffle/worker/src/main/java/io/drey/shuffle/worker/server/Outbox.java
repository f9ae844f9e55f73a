package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.block.RunHeader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabRange;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

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
    private final long unsentBytesMax;
    private final ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<ReadChannel> blocked = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong unsent = new AtomicLong();
    private final List<DataRun> runs = new ArrayList<>();
    private int runBytes;
    private volatile Slab lastSlab;
    private volatile boolean closed;

    Outbox(Channel channel, SlabPool pool) {
        this.channel = channel;
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

    void add(ByteBuf frame) {
        offer(frame);
    }

    private void offer(Object each) {
        queue.add(each);
        if (closed) {
            discard();
        } else if (scheduled.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(this::drain);
            } catch (RejectedExecutionException e) {
                // The worker is closed: nobody will send it.
                discard();
            }
        }
    }

    /** The event loop: sends all that is there. */
    void drain() {
        scheduled.set(false);
        for (Object each = queue.poll(); each != null; each = queue.poll()) {
            if (each instanceof DataRun run) {
                runs.add(run);
                runBytes += run.bytes() + RunHeader.HEADER_BYTES;
                if (runBytes >= FRAME_BYTES) {
                    writeFrame();
                }
            } else {
                writeFrame();
                channel.write(each, channel.voidPromise());
            }
        }
        writeFrame();
        channel.flush();
    }

    private void writeFrame() {
        if (runs.isEmpty()) {
            return;
        }
        for (int i = 0; i < runs.size(); i++) {
            DataRun run = runs.get(i);
            ByteBuf head = channel.alloc().ioBuffer(FrameHeader.BYTES + RunHeader.HEADER_BYTES);
            if (i == 0) {
                FrameHeader.put(head, FrameType.DATA, 0, 0, runs.size(), 0, runBytes);
            }
            run.putHeader(head);
            channel.write(head, channel.voidPromise());
            run.write(channel);
        }
        runs.clear();
        runBytes = 0;
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
        discard();
        blocked.clear();
    }

    private void discard() {
        for (Object each = queue.poll(); each != null; each = queue.poll()) {
            if (each instanceof DataRun run) {
                run.release();
            } else {
                ((ByteBuf) each).release();
            }
        }
    }
}
