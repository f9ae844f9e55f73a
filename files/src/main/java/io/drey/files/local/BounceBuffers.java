package io.drey.files.local;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;

/**
 * Aligned memory through which direct I/O goes, because callers read and write at any position, of any length, into any
 * memory. A buffer is taken for one read or write and given back, never while holding another one, so that waiting for
 * one always ends. The memory is the JVM's direct memory: allocated when first needed, and kept. Thread safe.
 */
final class BounceBuffers {
    /** The largest single I/O: what cloud volumes count as one. */
    static final int IO_BYTES_MAX = 256 << 10;

    /**
     * The largest alignment that a buffer is fit for: the page of most machines, and the block of most file systems.
     */
    static final int ALIGNMENT_MAX = 4 << 10;

    /** Size of a buffer: an unaligned range of the largest I/O's size touches a block more at each end. */
    static final int BUFFER_BYTES = IO_BYTES_MAX + 2 * ALIGNMENT_MAX;

    /** Buffers in a process, which is also how many direct I/Os it does at the same time: 8.4 MB at most. */
    static final int BUFFERS_MAX = 32;

    /** Those of the process. */
    static final BounceBuffers SHARED = new BounceBuffers(BUFFERS_MAX);

    private final Semaphore left;
    private final ArrayDeque<ByteBuffer> idle = new ArrayDeque<>();

    BounceBuffers(int buffersMax) {
        this.left = new Semaphore(buffersMax);
    }

    /** A cleared buffer; waits until there is one. An interrupt is left for the caller's next wait. */
    ByteBuffer take() {
        left.acquireUninterruptibly();
        boolean taken = false;
        try {
            ByteBuffer buffer = pollIdle();
            if (buffer == null) {
                buffer = ByteBuffer.allocateDirect(BUFFER_BYTES + ALIGNMENT_MAX)
                        .alignedSlice(ALIGNMENT_MAX)
                        .slice(0, BUFFER_BYTES);
            }
            taken = true;
            return buffer.clear();
        } finally {
            if (!taken) {
                left.release();
            }
        }
    }

    /** The buffer that was used last, whose memory is the warmest, or null. */
    private ByteBuffer pollIdle() {
        synchronized (idle) {
            return idle.pollLast();
        }
    }

    void give(ByteBuffer buffer) {
        synchronized (idle) {
            idle.addLast(buffer);
        }
        left.release();
    }
}
