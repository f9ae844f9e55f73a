package io.drey.store.block;

import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;

/** Holds one key of any size: in a small buffer, or in pages of its own if it is large. One thread. */
final class KeyBuffer implements AutoCloseable {
    private final SmallBuffers buffers;
    private final Scratch large;
    private long small;
    private long address;
    private int capacity;

    KeyBuffer(SmallBuffers buffers) {
        this.buffers = buffers;
        this.large = buffers.large();
    }

    /** The address of at least {@code bytes} bytes that start with the first {@code keep} bytes of before. */
    long grow(int bytes, int keep) {
        if (bytes > capacity) {
            enlarge(bytes, keep);
        }
        return address;
    }

    private void enlarge(int bytes, int keep) {
        if (small == 0) {
            small = buffers.take();
        }
        if (bytes <= buffers.bufferBytes()) {
            address = small;
            capacity = buffers.bufferBytes();
            return;
        }
        boolean moves = address == small;
        long to = large.grow(bytes, keep);
        if (moves) {
            Memory.copy(small, to, keep);
        }
        address = to;
        capacity = large.capacity();
    }

    @Override
    public void close() {
        if (small != 0) {
            buffers.give(small);
            small = 0;
        }
        large.close();
        address = 0;
        capacity = 0;
    }
}
