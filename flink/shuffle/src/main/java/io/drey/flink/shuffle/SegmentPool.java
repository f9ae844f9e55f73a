package io.drey.flink.shuffle;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.time.Deadline;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.TaskManagerOptions;
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

    /** @param wait at most so long; a task that is being deployed is not interrupted when it is cancelled */
    SegmentPool(BufferPool source, Duration wait) throws IOException {
        this.source = source;
        size = source.getNumberOfRequiredMemorySegments();
        if (size < 2) {
            throw new IOException("expected at least 2 buffers for a partition, found " + size
                    + ": raise taskmanager.network.sort-shuffle.min-buffers");
        }
        try {
            fill(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + size + " network buffers", e);
        } catch (ExecutionException e) {
            throw new IOException("cannot wait for network buffers", e);
        } finally {
            if (free.size() < size) {
                close();
            }
        }
    }

    /** One by one: what is reserved at once Flink's pool does not count, and takes one segment more at the end. */
    private void fill(Duration wait) throws IOException, InterruptedException, ExecutionException {
        Deadline deadline = Deadline.fromNow(wait);
        while (free.size() < size) {
            MemorySegment segment = source.requestMemorySegment();
            if (segment != null) {
                free.add(segment);
                continue;
            }
            try {
                source.getAvailableFuture().get(deadline.timeLeft().toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                throw new IOException(
                        "expected " + size + " network buffers for a partition in " + wait.toMillis() + " ms, found "
                                + free.size() + ": raise " + TaskManagerOptions.NETWORK_MEMORY_MAX.key() + ", or "
                                + NettyShuffleEnvironmentOptions.NETWORK_BUFFERS_REQUEST_TIMEOUT.key(),
                        e);
            }
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
