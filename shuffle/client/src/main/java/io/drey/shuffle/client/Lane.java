package io.drey.shuffle.client;

import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * One event loop, its connections, and the writers or readers that use them. All of them belong to the loop's thread,
 * so that none needs a lock. A worker has one connection here.
 */
final class Lane {
    private static final long CONNECT_TIMEOUT_MS_MIN = 500;
    private static final long CONNECT_TIMEOUT_MS_MAX = 5_000;

    /** One dial after the other that hangs, to each candidate, and yet there is patience left to try again. */
    private static final int DIALS_IN_PATIENCE = 4;

    private static final int WRITE_BUFFER_LOW_BYTES = 1 << 20;
    private static final int WRITE_BUFFER_HIGH_BYTES = 2 << 20;
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Names names;
    private final Handshake handshake;
    private final ClientOptions options;
    private final Ground ground;
    private final Map<UUID, Connection> workers = new HashMap<>();
    private final Map<InetSocketAddress, Connection> registries = new HashMap<>();
    private final Map<UUID, InetSocketAddress> moved = new HashMap<>();
    private volatile int connections;

    Lane(String name, ClientOptions options, Ground ground) {
        this.options = options;
        this.ground = ground;
        handshake = new Handshake(options.secret());
        group = ground.group("drey-shuffle-" + name);
        names = new Names("drey-shuffle-names-" + name, ground);
        loop = group.next();
    }

    EventLoop loop() {
        return loop;
    }

    Handshake handshake() {
        return handshake;
    }

    /** For a wait that begins now. */
    Patience patience() {
        return new Patience(loop.ticker(), options.workerWait());
    }

    List<InetSocketAddress> registryAddresses() {
        return options.registries();
    }

    Bootstrap bootstrap() {
        return new Bootstrap()
                .group(group)
                .channelFactory(ground.channels())
                .resolver(names)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMs())
                .option(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(WRITE_BUFFER_LOW_BYTES, WRITE_BUFFER_HIGH_BYTES));
    }

    /** For a dial, and once more for the greeting. */
    int connectTimeoutMs() {
        long part = options.workerWait().toMillis() / DIALS_IN_PATIENCE;
        return (int) Math.max(CONNECT_TIMEOUT_MS_MIN, Math.min(CONNECT_TIMEOUT_MS_MAX, part));
    }

    /** The connection to a worker, made if there is none. */
    Connection connection(Candidate candidate) {
        Connection known = workers.get(candidate.worker());
        if (known == null) {
            InetSocketAddress address = moved.getOrDefault(candidate.worker(), candidate.address());
            known = new Connection(this, candidate.worker(), address);
            workers.put(candidate.worker(), known);
            dial(known);
        }
        return known;
    }

    Connection registry(InetSocketAddress address) {
        Connection known = registries.get(address);
        if (known == null) {
            known = new Connection(this, null, address);
            registries.put(address, known);
            dial(known);
        }
        return known;
    }

    /** Later, so that nobody is told of a failure while still asking for the connection. */
    private void dial(Connection connection) {
        connections = workers.size() + registries.size();
        loop.execute(connection::dial);
    }

    /** A registry says where a worker is now. */
    void moved(Member member) {
        WorkerReport report = member.report();
        moved.put(report.id(), InetSocketAddress.createUnresolved(report.host(), report.port()));
    }

    void ended(Connection connection) {
        workers.remove(connection.worker(), connection);
        registries.remove(connection.address(), connection);
        connections = workers.size() + registries.size();
    }

    int connections() {
        return connections;
    }

    /** Ends all connections; writers and readers are told. */
    void close() {
        Future<?> ended = loop.submit(() -> {
            List<Connection> all = new ArrayList<>(workers.values());
            all.addAll(registries.values());
            all.forEach(each -> each.close(new IOException("the client is closed")));
        });
        ended.addListener(done -> group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS));
    }
}
