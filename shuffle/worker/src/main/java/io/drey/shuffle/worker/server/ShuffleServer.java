package io.drey.shuffle.worker.server;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.request.RequestConnection;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Listens, and has threads for the {@link Connections}. */
public final class ShuffleServer implements AutoCloseable {
    /** Bytes of one receive: what it copies into slabs is still in the processor's cache. */
    private static final int RECEIVE_BYTES = 128 << 10;

    private static final int BACKLOG = 1024;
    private static final int CLOSE_SECONDS = 10;

    private final EventLoopGroup group;

    /** A thread for each registry: it looks up the name, and while it waits for name servers the others go on. */
    private final EventLoopGroup links;

    private final Channel listening;
    private final WorkerState state;
    private final Connections connections;

    /** Listens at an address, whose port may be 0 for any, and has threads for links to so many registries. */
    public ShuffleServer(
            InetSocketAddress address, int threads, int connectionsMax, int registries, WorkerState state) {
        this.state = state;
        this.group = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("drey-shuffle-net", true), NioIoHandler.newFactory());
        this.links = new MultiThreadIoEventLoopGroup(
                Math.max(1, registries),
                new DefaultThreadFactory("drey-shuffle-link", true),
                NioIoHandler.newFactory());
        this.connections = new Connections(state, connectionsMax);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1 << 20, 2 << 20))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.accept(channel);
                    }
                });
        try {
            this.listening = bootstrap.bind(address).syncUninterruptibly().channel();
        } catch (Throwable e) {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            links.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            if (e instanceof Error error) {
                throw error;
            }
            String found = address.isUnresolved() ? "no such host" : e.getMessage();
            throw new DreyException(
                    "expected to listen at " + address + ", found: " + found + "; choose another address", e);
        }
    }

    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    public Connections connections() {
        return connections;
    }

    /** A link to a registry. */
    public RegistryLink link(String host, int port) {
        EventLoop own = links.next();
        return new RegistryLink(
                host + ":" + port,
                own,
                () -> RequestConnection.connect(own, host, port, state.handshake(), "worker"),
                state::report);
    }

    /** Closes all connections, and waits until the files of their writers are closed. */
    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        connections.close().forEach(ChannelFuture::awaitUninterruptibly);
        // What a closed channel still has to say to its connection is in these threads.
        group.forEach(loop -> loop.submit(() -> {}).awaitUninterruptibly());
        state.awaitWriters(CLOSE_SECONDS * 1000L);
    }

    /** Ends the threads, after {@link #close} and after the devices. */
    public void shutdown() {
        links.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
