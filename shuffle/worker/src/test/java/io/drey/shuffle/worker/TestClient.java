package io.drey.shuffle.worker;

import io.drey.shuffle.protocol.block.BlockChecksum;
import io.drey.shuffle.protocol.block.BlockDigest;
import io.drey.shuffle.protocol.block.RegionCost;
import io.drey.shuffle.protocol.block.RunReader;
import io.drey.shuffle.protocol.block.RunSink;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.Greeting.Auth;
import io.drey.shuffle.protocol.message.Greeting.Hello;
import io.drey.shuffle.protocol.message.Greeting.Welcome;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.Writing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A plain client of one thread: keeps the rules of the protocol unless told otherwise, and checks what it gets. */
final class TestClient implements Closeable {
    static final int CONNECT_TIMEOUT_MS = 60_000;

    /** A block as it is written or read. */
    record Block(int subpartition, int flags, byte[] payload) {
        static Block of(int subpartition, String text) {
            return new Block(subpartition, 1, text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Block that
                    && that.subpartition == subpartition
                    && that.flags == flags
                    && java.util.Arrays.equals(that.payload, payload);
        }

        @Override
        public int hashCode() {
            return subpartition + 31 * java.util.Arrays.hashCode(payload);
        }
    }

    /** A frame that was received. */
    record Frame(FrameType type, int flags, int stream, int count, long value, byte[] body) {
        FieldReader fields() {
            return new FieldReader(type.name(), Unpooled.wrappedBuffer(body));
        }
    }

    /** What a channel got. */
    static final class Read {
        final List<Block> blocks = new ArrayList<>();
        final List<Integer> regions = new ArrayList<>();
        Frame opened;
        Frame end;
        Fault refused;
    }

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final Map<Integer, Long> credit = new TreeMap<>();
    private final List<Integer> acknowledged = new ArrayList<>();
    private final List<Fault> refusals = new ArrayList<>();
    private int splits;
    private int goaways;
    private int nextStream = 1;
    final Welcome welcome;

    TestClient(int port) throws IOException {
        this(port, null);
    }

    TestClient(int port, String secret) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(CONNECT_TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 1 << 17));
        out = socket.getOutputStream();
        Handshake handshake = new Handshake(secret);
        Hello hello = handshake.hello("test");
        send(FrameType.HELLO, 0, 0, 0, 0, hello);
        welcome = Welcome.read(expect(FrameType.WELCOME).fields());
        Auth auth = handshake.answer(hello, welcome);
        if (auth != null) {
            send(FrameType.AUTH, 0, 0, 0, 0, auth);
        }
    }

    /** Without any greeting. */
    TestClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(CONNECT_TIMEOUT_MS);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        welcome = null;
    }

    int newStream() {
        return nextStream++;
    }

    List<Integer> acknowledged() {
        return acknowledged;
    }

    List<Fault> refusals() {
        return refusals;
    }

    int splits() {
        return splits;
    }

    int goaways() {
        return goaways;
    }

    void send(FrameType type, int flags, int stream, int count, long value) throws IOException {
        send(FrameHeader.bare(UnpooledByteBufAllocator.DEFAULT, type, flags, stream, count, value));
    }

    void send(FrameType type, int flags, int stream, int count, long value, Body body) throws IOException {
        send(FrameHeader.frame(UnpooledByteBufAllocator.DEFAULT, type, flags, stream, count, value, body));
    }

    void send(ByteBuf bytes) throws IOException {
        bytes.getBytes(bytes.readerIndex(), out, bytes.readableBytes());
        bytes.release();
    }

    /** The next frame of any kind; null at the end. */
    Frame receive() throws IOException {
        byte[] head = new byte[FrameHeader.BYTES];
        int first = in.read();
        if (first < 0) {
            return null;
        }
        head[0] = (byte) first;
        in.readFully(head, 1, head.length - 1);
        ByteBuf bytes = Unpooled.wrappedBuffer(head);
        int length = bytes.getIntLE(0);
        FrameType found = null;
        for (FrameType each : FrameType.values()) {
            found = each.code() == bytes.getUnsignedByte(4) ? each : found;
        }
        if (length > found.bodyBytesMax()) {
            throw new AssertionError(
                    "expected at most " + found.bodyBytesMax() + " bytes in " + found + ", found " + length);
        }
        byte[] body = new byte[length];
        in.readFully(body);
        return new Frame(
                found, bytes.getUnsignedByte(5), bytes.getIntLE(8), bytes.getIntLE(12), bytes.getLongLE(16), body);
    }

    /** The next frame that is no credit, acknowledgement or refusal of a writer, or a question: these are noted. */
    Frame next() throws IOException {
        while (true) {
            Frame frame = receive();
            if (frame == null || !note(frame)) {
                return frame;
            }
        }
    }

    private boolean note(Frame frame) {
        switch (frame.type()) {
            case WRITE_CREDIT -> credit.merge(frame.stream(), frame.value(), Long::sum);
            case ACK -> {
                acknowledged.add(frame.count());
                splits += frame.flags() & FrameType.SPLIT;
            }
            case GOAWAY -> goaways++;
            case PING -> {
                // To a client that a slow machine keeps silent for long: whatever it sends next is the answer.
            }
            case REFUSED -> {
                refusals.add(Fault.read(frame.fields()));
                credit.remove(frame.stream());
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    Frame expect(FrameType type) throws IOException {
        Frame frame = next();
        if (frame == null || frame.type() != type) {
            String found = frame == null ? "the end" : frame.toString();
            if (frame != null && (frame.type() == FrameType.ERROR || frame.type() == FrameType.FAILED)) {
                found = Fault.read(frame.fields()).toString();
            }
            throw new AssertionError("expected " + type + ", found " + found + ", refusals " + refusals);
        }
        return frame;
    }

    /** Opens a writer; its stream, or -1 if it was refused. */
    int open(PartitionKey key, int subpartitions) throws IOException {
        int stream = newStream();
        send(FrameType.OPEN, 0, stream, 0, 0, new Writing.Open(key, subpartitions));
        while (true) {
            Frame frame = receive();
            if (frame.type() == FrameType.OPENED) {
                credit.put(stream, frame.value());
                return stream;
            }
            if (!note(frame)) {
                throw new AssertionError("expected OPENED, found " + frame);
            }
            if (frame.type() == FrameType.REFUSED && frame.stream() == stream) {
                return -1;
            }
        }
    }

    private void spend(int stream, long cost) {
        credit.computeIfPresent(stream, (any, now) -> now - cost);
    }

    private boolean awaitCredit(int stream) throws IOException {
        while (credit.getOrDefault(stream, 1L) <= 0) {
            Frame frame = receive();
            if (frame == null || !note(frame)) {
                throw new AssertionError("expected credit, found " + frame);
            }
        }
        return credit.containsKey(stream);
    }

    /** Writes a region within the credit; false if the writer was refused meanwhile. */
    boolean write(int stream, PartitionKey key, int region, List<Block> blocks) throws IOException {
        return write(stream, key, region, 0, blocks) && end(stream, region, blocks);
    }

    boolean write(int stream, PartitionKey key, int region, int flags, List<Block> blocks) throws IOException {
        if (!awaitCredit(stream)) {
            return false;
        }
        send(FrameType.BEGIN, flags, stream, region, 0);
        spend(stream, RegionCost.BEGIN_BYTES);
        return blocks(stream, key, blocks);
    }

    long credit(int stream) {
        return credit.get(stream);
    }

    /** The blocks of a region that has begun. */
    boolean blocks(int stream, PartitionKey key, List<Block> blocks) throws IOException {
        ByteBuf all = encode(key, blocks);
        while (all.isReadable()) {
            if (!awaitCredit(stream)) {
                return false;
            }
            int part = (int) Math.min(Math.min(1 << 20, all.readableBytes()), credit.get(stream));
            ByteBuf head = Unpooled.buffer();
            FrameHeader.put(head, FrameType.BLOCKS, 0, stream, 0, 0, part);
            send(head);
            send(all.readRetainedSlice(part));
            spend(stream, part);
        }
        return true;
    }

    boolean end(int stream, int region, List<Block> blocks) throws IOException {
        if (!awaitCredit(stream)) {
            return false;
        }
        send(FrameType.END, 0, stream, region, blocks.size());
        long distinct = blocks.stream().map(Block::subpartition).distinct().count();
        spend(stream, RegionCost.endBytes((int) distinct));
        return true;
    }

    static ByteBuf encode(PartitionKey key, List<Block> blocks) {
        ByteBuf all = Unpooled.buffer();
        BlockChecksum checksum = new BlockChecksum();
        for (Block each : blocks) {
            byte[] payload = each.payload();
            int crc = checksum.begin(key.seed(), payload.length, each.subpartition(), each.flags())
                    .update(payload, 0, payload.length)
                    .value();
            all.writeIntLE(payload.length)
                    .writeIntLE(each.subpartition())
                    .writeIntLE(each.flags())
                    .writeIntLE(crc)
                    .writeBytes(payload);
        }
        return all;
    }

    /** Waits for acknowledgements of so many regions in all. */
    void awaitAcknowledged(int regions) throws IOException {
        while (acknowledged.size() < regions) {
            Frame frame = receive();
            if (frame == null || !note(frame)) {
                throw new AssertionError("expected an acknowledgement, found " + frame);
            }
        }
    }

    /** Sends a request and returns the fault, or null if it is done. */
    Fault request(FrameType type, Body body) throws IOException {
        int stream = newStream();
        send(type, 0, stream, 0, 0, body);
        Frame frame = next();
        if (frame.type() == FrameType.DONE && frame.stream() == stream) {
            return null;
        }
        if (frame.type() == FrameType.FAILED && frame.stream() == stream) {
            return Fault.read(frame.fields());
        }
        throw new AssertionError("expected an answer, found " + frame);
    }

    /** Reads some subpartitions from a region and block on, giving credit in small pieces. */
    Read read(PartitionKey key, int from, int to, int region, int block, int credits) throws IOException {
        return readAll(List.of(new Fetching.Channel(key, newStream(), from, to, region, block, credits)), credits)
                .get(0);
    }

    /** Reads several channels together. */
    List<Read> readAll(List<Fetching.Channel> channels, int credits) throws IOException {
        Map<Integer, Receiver> receivers = new TreeMap<>();
        channels.forEach(each -> receivers.put(each.channel(), new Receiver(each.key())));
        send(FrameType.OPEN_READ, 0, 0, 0, 0, new Fetching.OpenRead(channels));
        int open = channels.size();
        while (open > 0) {
            Frame frame = next();
            if (frame == null) {
                throw new AssertionError("expected data, found the end of the connection");
            }
            Receiver receiver = receivers.get(frame.stream());
            switch (frame.type()) {
                case READ_OPENED -> receiver.read.opened = frame;
                case READ_REFUSED -> {
                    receiver.read.refused = Fault.read(frame.fields());
                    open--;
                }
                case READ_END -> {
                    receiver.read.end = frame;
                    receiver.checkEnd(frame);
                    open--;
                }
                case DATA -> data(frame, receivers, credits);
                default -> throw new AssertionError("expected data, found " + frame);
            }
        }
        return channels.stream().map(each -> receivers.get(each.channel()).read).toList();
    }

    private void data(Frame frame, Map<Integer, Receiver> receivers, int credits) throws IOException {
        Demultiplexer sink = new Demultiplexer(receivers);
        RunReader reader = new RunReader(sink);
        ByteBuf body = Unpooled.wrappedBuffer(frame.body());
        reader.read(body, body.readableBytes());
        if (!reader.isBetweenRuns() || sink.runs != frame.count()) {
            throw new AssertionError("expected " + frame.count() + " whole runs, found " + sink.runs);
        }
        for (Map.Entry<Integer, Receiver> each : receivers.entrySet()) {
            Receiver receiver = each.getValue();
            if (receiver.read.blocks.size() - receiver.given >= credits) {
                receiver.given += credits;
                send(FrameType.READ_CREDIT, 0, each.getKey(), credits, 0);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** One channel: checks checksums, numbers and the digest of whole reads. */
    private static final class Receiver {
        final Read read = new Read();
        final PartitionKey key;
        int given;
        long digest;
        int region = -1;
        int nextBlock;
        int subpartition = -1;
        int index;

        Receiver(PartitionKey key) {
            this.key = key;
        }

        void checkEnd(Frame frame) {
            long blocks = Fetching.ReadEnd.read(frame.fields()).blocks();
            boolean whole = read.regions.isEmpty() || nextBlock > 0;
            if (read.opened == null || (whole && blocks == read.blocks.size() && digest != frame.value())) {
                throw new AssertionError("expected digest " + frame.value() + ", found " + digest);
            }
        }
    }

    private static final class Demultiplexer implements RunSink {
        private final Map<Integer, Receiver> receivers;
        private final BlockChecksum checksum = new BlockChecksum();
        private Receiver now;
        private ByteBuf payload;
        private int subpartition;
        private int flags;
        private int stored;
        private int runs;
        private int left;

        Demultiplexer(Map<Integer, Receiver> receivers) {
            this.receivers = receivers;
        }

        @Override
        public void runBegins(int channel, int region, int firstBlock, int blocks) {
            now = receivers.get(channel);
            left = blocks;
            runs++;
            boolean next = region == now.region ? firstBlock == now.nextBlock : region > now.region;
            if (!next) {
                throw new AssertionError("expected block " + now.nextBlock + " of region " + now.region + ", found "
                        + firstBlock + " of " + region);
            }
            if (region != now.region) {
                now.region = region;
                now.subpartition = -1;
            }
            now.nextBlock = firstBlock + blocks;
        }

        @Override
        public void blockBegins(int payloadLength, int newSubpartition, int newFlags, int newChecksum) {
            payload = Unpooled.buffer(payloadLength);
            subpartition = newSubpartition;
            flags = newFlags;
            stored = newChecksum;
        }

        @Override
        public void blockPart(ByteBuf part, int length) {
            payload.writeBytes(part, part.readerIndex(), length);
        }

        @Override
        public void blockEnds() {
            byte[] bytes = new byte[payload.readableBytes()];
            payload.readBytes(bytes);
            int computed = checksum.begin(now.key.seed(), bytes.length, subpartition, flags)
                    .update(bytes, 0, bytes.length)
                    .value();
            if (computed != stored) {
                throw new IllegalStateException("checksum of block " + now.read.blocks.size() + " is wrong");
            }
            now.index = subpartition == now.subpartition ? now.index + 1 : 0;
            now.subpartition = subpartition;
            now.digest += BlockDigest.of(stored, now.index);
            now.read.blocks.add(new Block(subpartition, flags, bytes));
            now.read.regions.add(now.region);
            left--;
        }

        @Override
        public void runEnds() {
            if (left != 0) {
                throw new AssertionError("expected as many blocks as the run says, found " + left + " fewer");
            }
        }
    }
}
