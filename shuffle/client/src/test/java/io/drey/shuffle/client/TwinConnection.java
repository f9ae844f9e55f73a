package io.drey.shuffle.client;

import io.drey.shuffle.client.TwinWorker.Block;
import io.drey.shuffle.client.TwinWorker.Partition;
import io.drey.shuffle.client.TwinWorker.Stored;
import io.drey.shuffle.protocol.block.BlockDigest;
import io.drey.shuffle.protocol.block.BlockReader;
import io.drey.shuffle.protocol.block.BlockSink;
import io.drey.shuffle.protocol.block.RegionCost;
import io.drey.shuffle.protocol.block.RunHeader;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameSink;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.Fetching.Holders;
import io.drey.shuffle.protocol.message.Fetching.ReadEnd;
import io.drey.shuffle.protocol.message.Greeting.Auth;
import io.drey.shuffle.protocol.message.Greeting.Hello;
import io.drey.shuffle.protocol.message.Greeting.Welcome;
import io.drey.shuffle.protocol.message.Leasing.Lease;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.Membership.Workers;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.Writing;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A client's connection to a {@link TwinWorker}. */
final class TwinConnection implements FrameSink {
    /** A writer. */
    private final class Writer implements BlockSink {
        private final PartitionKey key;
        private final BlockReader reader = new BlockReader(this);
        private Stored region;
        private int subpartition;
        private int flags;
        private int checksum;
        private byte[] payload;
        private int at;

        private Writer(PartitionKey key) {
            this.key = key;
        }

        @Override
        public void blockBegins(int length, int blockSubpartition, int blockFlags, int blockChecksum) {
            subpartition = blockSubpartition;
            flags = blockFlags;
            checksum = blockChecksum;
            payload = new byte[length];
            at = 0;
        }

        @Override
        public void blockPart(ByteBuf part, int length) {
            part.getBytes(part.readerIndex(), payload, at, length);
            at += length;
        }

        @Override
        public void blockEnds() {
            region.blocks.add(new Block(subpartition, flags, checksum, payload));
        }
    }

    /** A block that a channel has yet to get. */
    private record Due(int region, int number, Block block) {}

    /** A channel. */
    private static final class Reader {
        private final ArrayDeque<Due> due = new ArrayDeque<>();
        private int credit;
        private int next;
        private boolean isComplete;
        private long blocks;
        private long digest;
    }

    private final TwinWorker worker;
    private final Channel channel;
    private final Map<Integer, Writer> writers = new HashMap<>();
    private final Map<Integer, Reader> readers = new HashMap<>();
    private Hello hello;
    private Welcome welcome;
    private Writer writing;

    TwinConnection(TwinWorker worker, Channel channel) {
        this.worker = worker;
        this.channel = channel;
    }

    private void send(FrameType type, int flags, int stream, int count, long value) {
        channel.writeAndFlush(FrameHeader.bare(channel.alloc(), type, flags, stream, count, value));
    }

    private void send(FrameType type, int flags, int stream, int count, long value, Body body) {
        channel.writeAndFlush(FrameHeader.frame(channel.alloc(), type, flags, stream, count, value, body));
    }

    @Override
    public void control(FrameHeader header, ByteBuf body) {
        FieldReader in = new FieldReader(header.type().name(), body);
        int stream = header.stream();
        if (header.type() == FrameType.HELLO) {
            hello = Hello.read(in);
            welcome = worker.handshake.welcome(hello, worker.id, worker.incarnation, false);
            send(FrameType.WELCOME, 0, 0, 0, 0, welcome);
            return;
        }
        switch (header.type()) {
            case AUTH -> worker.handshake.check(hello, welcome, Auth.read(in));
            case PING -> send(FrameType.PONG, 0, 0, 0, 0);
            case OPEN -> open(stream, Writing.Open.read(in));
            case BEGIN -> begin(header);
            case END -> end(stream, writers.get(stream), header.count(), header.value());
            case CLOSE_WRITE -> writers.remove(stream);
            case COMMIT -> commit(stream, Writing.Commit.read(in));
            case OPEN_READ -> Fetching.OpenRead.read(in).channels().forEach(this::read);
            case READ_CREDIT -> credit(stream, header.count());
            case CLOSE_READ -> readers.remove(stream);
            case RENEW -> renew(stream, Renew.read(in));
            case RELEASE -> release(stream, Release.read(in));
            case LIST -> send(FrameType.WORKERS, 0, stream, 0, 0, new Workers(worker.members()));
            default -> {}
        }
    }

    private void open(int stream, Writing.Open message) {
        Fault refusal = worker.refusals.poll();
        if (refusal != null) {
            send(FrameType.REFUSED, 0, stream, 0, 0, refusal);
            return;
        }
        writers.put(stream, new Writer(message.key()));
        worker.partitions.computeIfAbsent(message.key(), any -> new Partition());
        send(FrameType.OPENED, 0, stream, 0, worker.credit);
    }

    /** What arrives is paid for, and the same is given back at once: so the first credit is all there ever is. */
    private void pay(int stream, int bytes, boolean mayOverdraw) {
        boolean isWithin = mayOverdraw || bytes <= worker.credit;
        if (!isWithin) {
            worker.overdrafts++;
        }
        send(FrameType.WRITE_CREDIT, 0, stream, 0, bytes);
    }

    private void begin(FrameHeader header) {
        writers.get(header.stream()).region = new Stored(header.has(FrameType.BROADCAST));
        pay(header.stream(), RegionCost.BEGIN_BYTES, true);
    }

    @Override
    public void streamBegins(FrameHeader header) {
        writing = writers.get(header.stream());
        if (writing != null) {
            pay(header.stream(), header.length(), false);
        }
    }

    @Override
    public void streamPart(ByteBuf part, int length) {
        if (writing != null) {
            writing.reader.read(part, length);
        }
    }

    @Override
    public void streamEnds() {}

    private void end(int stream, Writer writer, int number, long blocks) {
        if (blocks != writer.region.blocks.size() || !writer.reader.isBetweenBlocks()) {
            throw new AssertionError("expected " + blocks + " blocks, found " + writer.region.blocks.size());
        }
        long subpartitions = writer.region.blocks.stream()
                .map(Block::subpartition)
                .distinct()
                .count();
        pay(stream, RegionCost.endBytes((int) subpartitions), true);
        worker.partitions.get(writer.key).regions.put(number, writer.region);
        if (worker.cutsAtRegion.remove(worker.regionsEnded++)) {
            channel.close();
            return;
        }
        worker.acks++;
        boolean split = worker.splitEvery > 0 && worker.acks % worker.splitEvery == 0;
        send(FrameType.ACK, split ? FrameType.SPLIT : 0, stream, number, 0);
    }

    private void commit(int stream, Writing.Commit message) {
        Partition partition = worker.partitions.computeIfAbsent(message.key(), any -> new Partition());
        PartitionManifest manifest = message.manifest();
        for (int i = 0; i < manifest.regions(); i++) {
            if (manifest.holder(i).equals(worker.id) && !partition.regions.containsKey(i)) {
                Fault fault = new Fault(Fault.Reason.LOST, "no region " + i);
                send(FrameType.FAILED, 0, stream, 0, 0, fault);
                return;
            }
        }
        if (partition.manifest == null) {
            partition.manifest = manifest;
            worker.commits.add(new Writing.Commit(message.key(), manifest));
        }
        send(FrameType.DONE, 0, stream, 0, 0);
    }

    private void read(Fetching.Channel open) {
        Partition partition = worker.partitions.get(open.key());
        if (partition == null || partition.manifest == null) {
            Fault fault = new Fault(Fault.Reason.UNKNOWN_PARTITION, "no " + open.key());
            send(FrameType.READ_REFUSED, 0, open.channel(), 0, 0, fault);
            return;
        }
        PartitionManifest manifest = partition.manifest;
        Reader reader = new Reader();
        reader.credit = open.credit();
        int region = open.region();
        while (region < manifest.regions() && manifest.holder(region).equals(worker.id)) {
            gather(reader, partition.regions.get(region), region, open);
            region++;
        }
        reader.next = region;
        reader.isComplete = region >= manifest.regions();
        readers.put(open.channel(), reader);
        boolean isAllHere = manifest.workers().stream().allMatch(each -> each.equals(worker.id));
        int[] holders = isAllHere ? new int[0] : manifest.holders();
        List<UUID> workers = isAllHere ? List.of() : manifest.workers();
        send(
                FrameType.READ_OPENED,
                manifest.attributes(),
                open.channel(),
                manifest.regions(),
                reader.due.size(),
                new Holders(workers, holders));
        push(open.channel(), reader);
    }

    private static void gather(Reader reader, Stored stored, int region, Fetching.Channel open) {
        int number = 0;
        int subpartition = -1;
        int index = 0;
        for (Block block : stored.blocks) {
            boolean wanted =
                    stored.isBroadcast || (block.subpartition() >= open.from() && block.subpartition() <= open.to());
            if (!wanted) {
                continue;
            }
            index = block.subpartition() == subpartition ? index + 1 : 0;
            subpartition = block.subpartition();
            reader.blocks++;
            reader.digest += BlockDigest.of(block.checksum(), index);
            if (region > open.region() || number >= open.block()) {
                reader.due.add(new Due(region, number, block));
            }
            number++;
        }
    }

    private void credit(int stream, int more) {
        worker.readCredits++;
        Reader reader = readers.get(stream);
        if (reader != null) {
            reader.credit += more;
            push(stream, reader);
        }
    }

    private void push(int stream, Reader reader) {
        while (reader.credit > 0 && !reader.due.isEmpty()) {
            reader.credit--;
            Due due = reader.due.poll();
            int size = TwinWorker.size(due.block());
            ByteBuf out = channel.alloc().ioBuffer();
            FrameHeader.put(out, FrameType.DATA, 0, 0, 1, 0, RunHeader.HEADER_BYTES + size);
            RunHeader.put(out, stream, due.region(), due.number(), 1, size);
            byte[] payload = due.block().payload().clone();
            if (worker.damagedBlocks.remove(worker.blocksSent)) {
                payload[payload.length / 2] ^= 1;
            }
            int stray = worker.strayBlocks.remove(worker.blocksSent) ? 1 : 0;
            out.writeIntLE(payload.length).writeIntLE(due.block().subpartition() + stray);
            out.writeIntLE(due.block().flags())
                    .writeIntLE(due.block().checksum())
                    .writeBytes(payload);
            channel.writeAndFlush(out);
            if (worker.cutsAfterBlock.remove(worker.blocksSent++)) {
                channel.close();
                return;
            }
        }
        if (reader.due.isEmpty()) {
            readers.remove(stream);
            int flag = reader.isComplete ? FrameType.COMPLETE : 0;
            send(FrameType.READ_END, flag, stream, reader.next, reader.digest, new ReadEnd(reader.blocks));
        }
    }

    private void renew(int stream, Renew message) {
        worker.renewed.add(message.job());
        List<Writing.Commit> news = worker.commits.subList((int) message.since(), worker.commits.size()).stream()
                .filter(each -> each.key().job().equals(message.job()))
                .toList();
        Lease lease = new Lease(worker.incarnation, worker.commits.size(), false, news, List.of());
        send(FrameType.LEASE, 0, stream, 0, 0, lease);
    }

    private void release(int stream, Release message) {
        message.keys().forEach(worker.partitions::remove);
        send(FrameType.DONE, 0, stream, 0, 0);
    }

    @Override
    public void pause() {}

    @Override
    public void closed(Throwable cause) {
        if (cause instanceof RuntimeException) {
            cause.printStackTrace();
        }
    }

    @Override
    public void writable(boolean isWritable) {}
}
