package io.drey.shuffle.client;

import io.drey.shuffle.protocol.frame.FrameReader;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;

/** An end of a connection through the {@link SimulatedNetwork}, with a window as small as its history wants it. */
final class SimulatedChannel extends AbstractChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false);

    /** Everything is on the heap: what a killed process had is garbage. */
    private static final ByteBufAllocator HEAP = new AbstractByteBufAllocator(false) {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return newHeapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    };

    private final SimulatedNetwork network;
    private final int host;
    private final ChannelConfig config = new Config(this);
    private SimulatedChannel peer;
    private boolean isOpen = true;
    private boolean isActive;

    /** Bytes on their way to the peer. */
    private int underWay;

    /** When what was sent last is there: nothing overtakes it. */
    private long lastArrival;

    private ChannelPromise connecting;

    SimulatedChannel(SimulatedNetwork network, int host) {
        super(null);
        this.network = network;
        this.host = host;
    }

    int host() {
        return host;
    }

    SimulatedChannel peer() {
        return peer;
    }

    private World world() {
        return network.world();
    }

    /** Before it is registered: the end of a worker. */
    void acceptedFrom(SimulatedChannel client) {
        peer = client;
        isActive = true;
    }

    /** The other end has taken the connection. */
    void acceptedBy(SimulatedChannel accepted) {
        peer = accepted;
    }

    /** In its loop: it learns that the other end has taken the connection, or not. */
    void connected(SimulatedChannel accepted, String refusal) {
        ChannelPromise promise = connecting;
        connecting = null;
        if (promise == null || !isOpen) {
            return;
        }
        if (accepted == null) {
            promise.tryFailure(new ConnectException(refusal));
            unsafe().close(unsafe().voidPromise());
            return;
        }
        isActive = true;
        promise.trySuccess();
        pipeline().fireChannelActive();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) {
        while (out.current() != null && underWay < network.windowBytes()) {
            ByteBuf next = (ByteBuf) out.current();
            int length = Math.min(next.readableBytes(), network.windowBytes() - underWay);
            byte[] bytes = new byte[length];
            next.getBytes(next.readerIndex(), bytes);
            underWay += length;
            if (length == 0) {
                out.remove();
            } else {
                out.removeBytes(length);
                send(bytes);
            }
        }
    }

    private void send(byte[] bytes) {
        lastArrival = Math.max(lastArrival, world().now() + network.delay());
        network.carry(this, lastArrival, () -> arrived(bytes));
    }

    /** At the other machine. */
    private void arrived(byte[] bytes) {
        SimulatedChannel to = peer;
        inLoop(to, () -> to.received(bytes));
        inLoop(this, () -> {
            underWay -= bytes.length;
            ((SimulatedUnsafe) unsafe()).writeOn();
        });
    }

    private static void inLoop(SimulatedChannel channel, Runnable action) {
        EventLoop loop = channel.eventLoop();
        try {
            loop.execute(action);
        } catch (RejectedExecutionException e) {
            // Its process is no more: who has the other end is told by the network.
            return;
        }
    }

    /** In pieces of any size. */
    private void received(byte[] bytes) {
        FrameReader reader = pipeline().get(FrameReader.class);
        int at = 0;
        while (at < bytes.length && isActive) {
            int length = world().oneIn(8) ? 1 + world().random().nextInt(bytes.length - at) : bytes.length - at;
            pipeline().fireChannelRead(Unpooled.wrappedBuffer(bytes, at, length));
            at += length;
            if (at == bytes.length || world().oneIn(2)) {
                pipeline().fireChannelReadComplete();
            }
        }
        if (reader != null && reader.cause() instanceof RuntimeException) {
            // Both ends keep to the protocol, and nothing changes bytes on their way.
            world().fail(reader.cause());
        }
    }

    /** The connection is gone; what is under way is lost. */
    void reset() {
        inLoop(this, () -> unsafe().close(unsafe().voidPromise()));
    }

    @Override
    protected void doClose() {
        isOpen = false;
        boolean hadPeer = isActive;
        isActive = false;
        if (connecting != null) {
            connecting.tryFailure(new ConnectException("closed"));
            connecting = null;
        }
        network.ended(this);
        if (hadPeer) {
            lastArrival = Math.max(lastArrival, world().now() + network.delay());
            network.carry(this, lastArrival, peer::reset);
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new SimulatedUnsafe();
    }

    private final class SimulatedUnsafe extends AbstractUnsafe {
        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            connecting = promise;
            network.connect(SimulatedChannel.this, (InetSocketAddress) remote);
        }

        private void writeOn() {
            if (isActive) {
                flush0();
            }
        }
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof SimulatedLoop;
    }

    @Override
    protected SocketAddress localAddress0() {
        return null;
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return null;
    }

    @Override
    protected void doBind(SocketAddress localAddress) {
        throw new UnsupportedOperationException("a worker's address is the network's");
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doBeginRead() {}

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public boolean isActive() {
        return isActive;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    /** Options of sockets mean nothing here; marks are as small as what is sent. */
    private static final class Config extends DefaultChannelConfig {
        private static final int SMALLER = 256;

        Config(Channel channel) {
            super(channel);
            setAllocator(HEAP);
            setWriteBufferWaterMark(new WriteBufferWaterMark(1 << 20, 2 << 20));
        }

        @Override
        public <T> boolean setOption(ChannelOption<T> option, T value) {
            if (option.equals(ChannelOption.WRITE_BUFFER_WATER_MARK)
                    || option.equals(ChannelOption.CONNECT_TIMEOUT_MILLIS)) {
                return super.setOption(option, value);
            }
            return true;
        }

        @Override
        public ChannelConfig setWriteBufferWaterMark(WriteBufferWaterMark mark) {
            return super.setWriteBufferWaterMark(new WriteBufferWaterMark(mark.low() / SMALLER, mark.high() / SMALLER));
        }
    }
}
