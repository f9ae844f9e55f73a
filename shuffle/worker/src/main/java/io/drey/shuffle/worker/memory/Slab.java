package io.drey.shuffle.worker.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of memory outside the heap, made once and used again and again. While it holds what was read from a disk its
 * users are counted: the last one gives it back.
 */
public final class Slab {
    public static final int BYTES = 256 << 10;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** Its one reference is the slab's own and never given up, so that slices of it can be sent. */
    private final ByteBuf buffer = Unpooled.wrappedBuffer(bytes);

    /** The consumer's view, while the producer has the other. */
    private final ByteBuffer view = bytes.duplicate();

    private final AtomicInteger users = new AtomicInteger();

    Slab() {}

    /** A view of the whole memory, with a position and a limit of the one thread that has the slab. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** The same memory from one place to another, for who writes it to a disk. */
    ByteBuffer view(int from, int to) {
        return view.limit(to).position(from);
    }

    /** A part of it, to be sent; it must not outlive the caller's use. */
    public ByteBuf slice(int from, int length) {
        return buffer.retainedSlice(from, length);
    }

    /** The four bytes at a place of slabs that are back to back, little endian. */
    public static int getInt(Slab[] slabs, int at) {
        int in = at % BYTES;
        if (in + Integer.BYTES <= BYTES) {
            return slabs[at / BYTES].bytes.getInt(in);
        }
        int value = 0;
        for (int i = at + Integer.BYTES - 1; i >= at; i--) {
            value = value << 8 | (slabs[i / BYTES].bytes.get(i % BYTES) & 0xff);
        }
        return value;
    }

    /** Copies bytes into it. */
    void put(int at, ByteBuf from, int length) {
        from.readBytes(bytes.limit(at + length).position(at));
    }

    void users(int count) {
        users.set(count);
    }

    void addUser() {
        users.incrementAndGet();
    }

    /** Whether the last user has gone. */
    boolean removeUser() {
        int left = users.decrementAndGet();
        assert left >= 0 : left;
        return left == 0;
    }
}
