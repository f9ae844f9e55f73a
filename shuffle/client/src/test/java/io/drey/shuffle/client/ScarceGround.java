package io.drey.shuffle.client;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/** The system's ground, which has no files, no memory or no answer for a name when a test says so. */
final class ScarceGround implements Ground {
    static final String SLOW_HOST = "slow.invalid";

    volatile boolean hasFiles = true;

    /** Somebody has asked for the address of the slow host. */
    final CountDownLatch slowLookUps = new CountDownLatch(1);

    /** Name servers have answered for the slow host. */
    final Semaphore isAnswered = new Semaphore(0);

    /** The next header of a frame finds no memory. */
    final AtomicBoolean isNextHeaderRefused = new AtomicBoolean();

    /** The next memory of a size that may grow is refused: what arrives is read into such, and messages written. */
    final AtomicBoolean isNextGrowingRefused = new AtomicBoolean();

    private final ByteBufAllocator memory = new AbstractByteBufAllocator(true) {
        @Override
        public ByteBuf ioBuffer(int capacity) {
            refuseIf(isNextGrowingRefused);
            return super.ioBuffer(capacity);
        }

        @Override
        public ByteBuf ioBuffer(int capacity, int capacityMax) {
            refuseIf(isNextHeaderRefused);
            return super.ioBuffer(capacity, capacityMax);
        }

        @Override
        protected ByteBuf newHeapBuffer(int capacity, int capacityMax) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(capacity, capacityMax);
        }

        @Override
        protected ByteBuf newDirectBuffer(int capacity, int capacityMax) {
            return UnpooledByteBufAllocator.DEFAULT.directBuffer(capacity, capacityMax);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    };

    private static void refuseIf(AtomicBoolean isRefused) {
        if (isRefused.compareAndSet(true, false)) {
            throw new InternalError("no memory");
        }
    }

    @Override
    public EventLoopGroup group(String name) {
        return SYSTEM.group(name);
    }

    @Override
    public ChannelFactory<Channel> channels() {
        return () -> {
            if (!hasFiles) {
                throw new ChannelException("too many open files");
            }
            Channel channel = SYSTEM.channels().newChannel();
            channel.config().setAllocator(memory);
            return channel;
        };
    }

    @Override
    public InetAddress lookUp(String host) throws UnknownHostException {
        if (host.equals(SLOW_HOST)) {
            slowLookUps.countDown();
            isAnswered.acquireUninterruptibly();
            throw new UnknownHostException(host);
        }
        return SYSTEM.lookUp(host);
    }

    @Override
    public long wallClockMs() {
        return SYSTEM.wallClockMs();
    }

    @Override
    public RandomGenerator random() {
        return SYSTEM.random();
    }
}
