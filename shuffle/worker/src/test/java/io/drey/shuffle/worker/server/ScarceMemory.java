package io.drey.shuffle.worker.server;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Memory for frames that is refused when a test says so; remembers what it gave. */
final class ScarceMemory extends AbstractByteBufAllocator {
    private final List<ByteBuf> given = new ArrayList<>();

    /** How many buffers are given before one is refused. */
    private int left = Integer.MAX_VALUE;

    private boolean isRefused;

    ScarceMemory() {
        super(true);
    }

    /** So many buffers are given, and the next one is not. */
    void refuseAfter(int buffers) {
        left = buffers;
    }

    boolean isRefused() {
        return isRefused;
    }

    /** Buffers that nobody has given back. */
    long kept() {
        return given.stream().filter(each -> each.refCnt() > 0).count();
    }

    @Override
    protected ByteBuf newHeapBuffer(int capacity, int capacityMax) {
        return UnpooledByteBufAllocator.DEFAULT.heapBuffer(capacity, capacityMax);
    }

    @Override
    protected ByteBuf newDirectBuffer(int capacity, int capacityMax) {
        if (left-- == 0) {
            isRefused = true;
            throw new InternalError("no memory");
        }
        ByteBuf made = UnpooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacityMax);
        given.add(made);
        return made;
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
