package io.drey.shuffle.worker;

import io.drey.shuffle.protocol.block.BlockChecksum;
import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.block.RegionCost;
import io.drey.shuffle.protocol.block.RunReader;
import io.drey.shuffle.protocol.block.RunSink;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.Writing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures what a worker costs: writers push 512 MB over the loopback address, readers take it back, with checksums
 * made and checked as a client does. Prints seconds of wall time, of CPU in all, and of CPU in the worker's threads.
 *
 * <p>Arguments: directory, writers, readers, repetitions. System properties: {@code mb} in all, bytes of a
 * {@code payload}, blocks of a {@code region}, {@code credits} of a reader, who gives half of them back at a time;
 * {@code cold}, for a directory on a limited device: what is written is synced, and nothing is in the page cache when
 * reading begins, for which it must be root.
 */
final class LoopbackRig {
    private static final long BYTES = Long.getLong("mb", 512L) << 20;
    private static final int PAYLOAD = Integer.getInteger("payload", 32 << 10);
    private static final int REGION_BLOCKS = Integer.getInteger("region", 512);

    private final int port;
    private final int writers;
    private final int readers;
    private final int round;

    private LoopbackRig(int port, int writers, int readers, int round) {
        this.port = port;
        this.writers = writers;
        this.readers = readers;
        this.round = round;
    }

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int writers = Integer.parseInt(args[1]);
        int readers = Integer.parseInt(args[2]);
        WorkerOptions options = WorkerOptions.of(directory).withPort(0).withFreeBytesMin(0);
        try (ShuffleWorker worker = ShuffleWorker.open(options)) {
            for (int round = 0; round < Integer.parseInt(args[3]); round++) {
                new LoopbackRig(worker.port(), writers, readers, round).run();
            }
        }
    }

    private static void shell(String command) throws Exception {
        int status = new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IllegalStateException("expected '" + command + "' to succeed, found status " + status);
        }
    }

    private void run() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(writers, readers));
        List<Callable<Long>> writing = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            int partition = i;
            writing.add(() -> write(partition));
        }
        long begin = System.nanoTime();
        measure("write", threads, writing);
        if (Boolean.getBoolean("cold")) {
            shell("sync");
            System.out.printf(Locale.ROOT, "written and synced: %.2f s%n", (System.nanoTime() - begin) / 1e9);
            shell("echo 3 > /proc/sys/vm/drop_caches");
        }
        List<Callable<Long>> reading = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            int subpartition = i;
            reading.add(() -> read(subpartition));
        }
        measure("read", threads, reading);
        threads.shutdown();
        try (TestClient client = new TestClient(port)) {
            client.request(
                    FrameType.RELEASE,
                    new io.drey.shuffle.protocol.message.Leasing.Release(key(0).job(), Long.MAX_VALUE, List.of()));
        }
    }

    private PartitionKey key(int partition) {
        return new PartitionKey("rig" + round, "exchange", partition, 1);
    }

    private static long workerNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("drey-shuffle")) {
                sum += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return sum;
    }

    private static void measure(String what, ExecutorService threads, List<Callable<Long>> tasks) throws Exception {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long wall = System.nanoTime();
        long cpu = system.getProcessCpuTime();
        long own = workerNanos();
        long bytes = 0;
        for (Future<Long> each : threads.invokeAll(tasks)) {
            bytes += each.get();
        }
        System.out.printf(
                Locale.ROOT,
                "%s %d MB: %.3f s wall, %.3f s CPU in all, %.3f s in the worker%n",
                what,
                bytes >> 20,
                (System.nanoTime() - wall) / 1e9,
                (system.getProcessCpuTime() - cpu) / 1e9,
                (workerNanos() - own) / 1e9);
    }

    /** A connection with direct buffers, as a client with Netty has it. */
    private static final class Wire implements AutoCloseable {
        final SocketChannel channel;
        final ByteBuffer in = ByteBuffer.allocateDirect(256 << 10).order(ByteOrder.LITTLE_ENDIAN);
        final ByteBuf inBuf = Unpooled.wrappedBuffer(in);
        long credit;
        int acknowledged;

        Wire(int port) throws Exception {
            channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            send(FrameHeader.frame(
                    UnpooledByteBufAllocator.DEFAULT, FrameType.HELLO, 0, 0, 0, 0, new Handshake(null).hello("rig")));
            in.limit(0);
        }

        void send(ByteBuf frame) throws Exception {
            ByteBuffer bytes = frame.nioBuffer();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        void bare(FrameType type, int stream, int count, long value) throws Exception {
            send(FrameHeader.bare(UnpooledByteBufAllocator.DEFAULT, type, 0, stream, count, value));
        }

        void need(int bytes) throws Exception {
            if (in.remaining() < bytes) {
                in.compact();
                while (in.position() < bytes) {
                    if (channel.read(in) < 0) {
                        throw new java.io.EOFException();
                    }
                }
                in.flip();
            }
        }

        /** One control frame; its kind. */
        int control() throws Exception {
            need(FrameHeader.BYTES);
            int at = in.position();
            int length = in.getInt(at);
            int type = in.get(at + 4);
            int count = in.getInt(at + 12);
            long value = in.getLong(at + 16);
            in.position(at + FrameHeader.BYTES);
            need(length);
            in.position(in.position() + length);
            if (type == FrameType.WRITE_CREDIT.code() || type == FrameType.OPENED.code()) {
                credit += value;
            } else if (type == FrameType.ACK.code()) {
                acknowledged++;
            } else if (type != FrameType.WELCOME.code() && type != FrameType.DONE.code()) {
                throw new IllegalStateException("frame " + type + " count " + count);
            }
            return type;
        }

        @Override
        public void close() throws java.io.IOException {
            channel.close();
        }
    }

    private long write(int partition) throws Exception {
        PartitionKey key = key(partition);
        int regions = (int) (BYTES / writers / PAYLOAD / REGION_BLOCKS);
        ByteBuffer payload = ByteBuffer.allocateDirect(PAYLOAD);
        while (payload.hasRemaining()) {
            payload.put((byte) (payload.position() * 31));
        }
        ByteBuffer head = ByteBuffer.allocateDirect(FrameHeader.BYTES + BlockFormat.HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        ByteBuf headBuf = Unpooled.wrappedBuffer(head);
        BlockChecksum checksum = new BlockChecksum();
        long seed = key.seed();
        int cost = BlockFormat.HEADER_BYTES + PAYLOAD;
        try (Wire wire = new Wire(port)) {
            wire.control();
            wire.send(FrameHeader.frame(
                    UnpooledByteBufAllocator.DEFAULT, FrameType.OPEN, 0, 1, 0, 0, new Writing.Open(key, readers)));
            wire.control();
            for (int region = 0; region < regions; region++) {
                wire.bare(FrameType.BEGIN, 1, region, 0);
                wire.credit -= RegionCost.BEGIN_BYTES;
                for (int i = 0; i < REGION_BLOCKS; i++) {
                    int subpartition = i * readers / REGION_BLOCKS;
                    payload.clear();
                    int crc = checksum.begin(seed, PAYLOAD, subpartition, 0)
                            .update(payload)
                            .value();
                    while (wire.credit < cost) {
                        wire.control();
                    }
                    wire.credit -= cost;
                    headBuf.clear();
                    FrameHeader.put(headBuf, FrameType.BLOCKS, 0, 1, 0, 0, cost);
                    headBuf.writeIntLE(PAYLOAD)
                            .writeIntLE(subpartition)
                            .writeIntLE(0)
                            .writeIntLE(crc);
                    payload.clear();
                    ByteBuffer[] both = {head.clear(), payload};
                    while (payload.hasRemaining()) {
                        wire.channel.write(both);
                    }
                }
                wire.bare(FrameType.END, 1, region, REGION_BLOCKS);
                wire.credit -= RegionCost.endBytes(readers);
            }
            while (wire.acknowledged < regions) {
                wire.control();
            }
            PartitionManifest manifest =
                    new PartitionManifest(List.of(welcome(port)), new int[regions], new long[readers], 0);
            wire.send(FrameHeader.frame(
                    UnpooledByteBufAllocator.DEFAULT, FrameType.COMMIT, 0, 2, 0, 0, new Writing.Commit(key, manifest)));
            while (wire.control() != FrameType.DONE.code()) {
                continue;
            }
        }
        return (long) regions * REGION_BLOCKS * PAYLOAD;
    }

    private static java.util.UUID welcome(int port) throws Exception {
        try (TestClient client = new TestClient(port)) {
            return client.welcome.worker();
        }
    }

    /** Checks blocks as they come, and counts them. */
    private static final class Checker implements RunSink {
        private final BlockChecksum checksum = new BlockChecksum();
        private final long[] seeds;
        private final int[] taken;
        private int channel;
        private int stored;
        private long bytes;

        Checker(long[] seeds) {
            this.seeds = seeds;
            this.taken = new int[seeds.length];
        }

        @Override
        public void runBegins(int newChannel, int region, int firstBlock, int blocks) {
            channel = newChannel - 1;
            taken[channel] += blocks;
        }

        @Override
        public void blockBegins(int payloadLength, int subpartition, int flags, int newChecksum) {
            stored = newChecksum;
            bytes += payloadLength;
            checksum.begin(seeds[channel], payloadLength, subpartition, flags);
        }

        @Override
        public void blockPart(ByteBuf part, int length) {
            checksum.update(part.nioBuffer(part.readerIndex(), length));
        }

        @Override
        public void blockEnds() {
            if (checksum.value() != stored) {
                throw new IllegalStateException("a checksum is wrong");
            }
        }

        @Override
        public void runEnds() {}
    }

    private long read(int subpartition) throws Exception {
        int credits = Integer.getInteger("credits", 64);
        long[] seeds = new long[writers];
        List<Fetching.Channel> channels = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            seeds[i] = key(i).seed();
            channels.add(new Fetching.Channel(key(i), i + 1, subpartition, subpartition, 0, 0, credits));
        }
        Checker checker = new Checker(seeds);
        RunReader runs = new RunReader(checker);
        try (Wire wire = new Wire(port)) {
            wire.control();
            wire.send(FrameHeader.frame(
                    UnpooledByteBufAllocator.DEFAULT,
                    FrameType.OPEN_READ,
                    0,
                    0,
                    0,
                    0,
                    new Fetching.OpenRead(channels)));
            int open = writers;
            while (open > 0) {
                wire.need(FrameHeader.BYTES);
                int at = wire.in.position();
                int length = wire.in.getInt(at);
                int type = wire.in.get(at + 4);
                wire.in.position(at + FrameHeader.BYTES);
                while (length > 0) {
                    wire.need(1);
                    int part = Math.min(length, wire.in.remaining());
                    if (type == FrameType.DATA.code()) {
                        wire.inBuf.setIndex(wire.in.position(), wire.in.position() + part);
                        runs.read(wire.inBuf, part);
                    }
                    wire.in.position(wire.in.position() + part);
                    length -= part;
                }
                open -= type == FrameType.READ_END.code() ? 1 : 0;
                for (int i = 0; i < writers; i++) {
                    if (checker.taken[i] >= Math.max(1, credits / 2)) {
                        wire.bare(FrameType.READ_CREDIT, i + 1, checker.taken[i], 0);
                        checker.taken[i] = 0;
                    }
                }
            }
        }
        return checker.bytes;
    }
}
