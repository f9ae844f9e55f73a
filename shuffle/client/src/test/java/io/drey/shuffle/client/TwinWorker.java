package io.drey.shuffle.client;

import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.frame.FrameReader;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.message.Writing;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A worker that keeps partitions in memory and does what a test tells it to: it refuses, splits, cuts, forgets. All of
 * it belongs to its event loop; a test's changes are made there too. It is its own registry.
 */
final class TwinWorker implements AutoCloseable {
    /** A block as it arrived. */
    record Block(int subpartition, int flags, int checksum, byte[] payload) {}

    /** A region as it arrived. */
    static final class Stored {
        final boolean isBroadcast;
        final List<Block> blocks = new ArrayList<>();

        Stored(boolean isBroadcast) {
            this.isBroadcast = isBroadcast;
        }
    }

    /** A partition. */
    static final class Partition {
        final TreeMap<Integer, Stored> regions = new TreeMap<>();
        PartitionManifest manifest;
    }

    private static final int BIND_TRIES = 100;

    final UUID id = UUID.randomUUID();
    UUID incarnation = UUID.randomUUID();
    final Handshake handshake;
    final Map<PartitionKey, Partition> partitions = new LinkedHashMap<>();
    final List<Writing.Commit> commits = new ArrayList<>();
    final List<TwinWorker> others = new ArrayList<>();
    final Queue<Fault> refusals = new ArrayDeque<>();
    final Set<String> renewed = new LinkedHashSet<>();
    /** First credit, and how much is given back for as much that arrived. */
    int credit = 1 << 20;
    /** Regions after each of which a split is asked for; 0: never. */
    int splitEvery;
    /** Regions, over all writers, at whose end the connection is cut without an acknowledgement. */
    final Set<Integer> cutsAtRegion = new LinkedHashSet<>();
    /** Blocks, over all readers, after which a connection is cut. */
    final Set<Integer> cutsAfterBlock = new LinkedHashSet<>();
    /** Blocks, over all readers, that are sent with a changed byte. */
    final Set<Integer> damagedBlocks = new LinkedHashSet<>();
    /** Blocks, over all readers, that are sent as of another subpartition. */
    final Set<Integer> strayBlocks = new LinkedHashSet<>();

    /** Frames that were not within the credit. */
    int overdrafts;
    /** Messages by which readers gave more credit. */
    int readCredits;

    int regionsEnded;
    int blocksSent;
    int acks;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Set<Channel> open = new LinkedHashSet<>();
    private Channel server;
    private int port;

    TwinWorker(String secret) throws InterruptedException {
        handshake = new Handshake(secret);
        listen();
    }

    TwinWorker() throws InterruptedException {
        this(null);
    }

    private void listen() throws InterruptedException {
        server = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        open.add(channel);
                        channel.closeFuture().addListener(done -> open.remove(channel));
                        channel.pipeline().addLast(new FrameReader(new TwinConnection(TwinWorker.this, channel)));
                    }
                })
                .bind(new InetSocketAddress("127.0.0.1", port))
                .sync()
                .channel();
        port = ((InetSocketAddress) server.localAddress()).getPort();
    }

    Candidate candidate() {
        return new Candidate(id, "127.0.0.1", port);
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    /** Runs a change, or a look, in the event loop. */
    void run(Runnable action) {
        FutureTask<Void> task = new FutureTask<>(action, null);
        group.next().execute(task);
        try {
            task.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Stops to listen and cuts all connections; its partitions stay. */
    void stop() {
        server.close().syncUninterruptibly();
        run(() -> new ArrayList<>(open).forEach(Channel::close));
    }

    /** Comes back at another address. */
    void move() throws InterruptedException {
        stop();
        port = 0;
        restart();
    }

    /** A client that dials may hold the port for a moment. */
    void restart() throws InterruptedException {
        for (int i = 0; ; i++) {
            try {
                listen();
                return;
            } catch (Exception e) {
                if (!(e instanceof BindException) || i == BIND_TRIES) {
                    throw e;
                }
                Thread.sleep(20);
            }
        }
    }

    List<Member> members() {
        List<TwinWorker> all = new ArrayList<>(others);
        all.add(this);
        List<Member> members = new ArrayList<>();
        for (TwinWorker each : all) {
            WorkerReport.Load load = new WorkerReport.Load(1 << 30, 1 << 30, 0, 1 << 28, 0, 0, 0, 0);
            WorkerReport report = new WorkerReport(
                    each.id, each.incarnation, "127.0.0.1", each.port, 0, "twin", WorkerReport.State.RUNNING, load);
            members.add(new Member(report, Health.ALIVE, 0, false, ""));
        }
        return members;
    }

    static int size(Block block) {
        return BlockFormat.HEADER_BYTES + block.payload().length;
    }

    @Override
    public void close() {
        stop();
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
    }
}
