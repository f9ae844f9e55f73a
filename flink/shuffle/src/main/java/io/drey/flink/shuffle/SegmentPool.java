package io.drey.flink.shuffle;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.LinkedList;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.runtime.io.network.buffer.BufferPool;
import org.apache.flink.runtime.io.network.buffer.BufferRecycler;

/**
 * The network memory of one writer: taken once, so that nobody else can hold it back, and handed out and given back
 * until the writer closes. The task's thread takes; acknowledgements give back from event loops. After the close what
 * comes back goes to Flink's pool.
 */
final class SegmentPool implements BufferRecycler {
    private final BufferPool source;
    private final int size;
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
    private boolean isClosed;
    private Throwable failure;

    SegmentPool(BufferPool source) throws IOException {
        this.source = source;
        size = source.getNumberOfRequiredMemorySegments();
        if (size < 2) {
            throw new IOException("expected at least 2 buffers for a partition, found " + size
                    + ": raise taskmanager.network.sort-shuffle.min-buffers");
        }
        try {
            // Here a cancelled task is not interrupted: after a while Flink says what is short.
            source.reserveSegments(size);
            while (free.size() < size) {
                free.add(source.requestMemorySegmentBlocking());
            }
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + size + " network buffers", e);
        }
    }

    /** All segments, free or not. */
    int size() {
        return size;
    }

    /** Waits until this many are free. */
    synchronized LinkedList<MemorySegment> take(int count) throws IOException, InterruptedException {
        while (free.size() < count && failure == null && !isClosed) {
            wait();
        }
        if (failure != null) {
            throw new IOException("cannot write to the shuffle workers", failure);
        }
        if (isClosed) {
            throw new IOException("the writer is closed");
        }
        LinkedList<MemorySegment> taken = new LinkedList<>();
        for (int i = 0; i < count; i++) {
            taken.add(free.poll());
        }
        return taken;
    }

    @Override
    public void recycle(MemorySegment segment) {
        synchronized (this) {
            if (!isClosed) {
                free.add(segment);
                notifyAll();
                return;
            }
        }
        source.recycle(segment);
    }

    /** Nothing more is given back by acknowledgements: who waits gets the error. */
    synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }

    void close() {
        ArrayDeque<MemorySegment> left;
        synchronized (this) {
            isClosed = true;
            left = new ArrayDeque<>(free);
            free.clear();
            notifyAll();
        }
        left.forEach(source::recycle);
    }
}
