package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameSink;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fault.Reason;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.Greeting.Auth;
import io.drey.shuffle.protocol.message.Greeting.Hello;
import io.drey.shuffle.protocol.message.Greeting.Welcome;
import io.drey.shuffle.protocol.message.Writing.Open;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.StoredPartition.Content;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.util.collection.IntObjectHashMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection: its writers, its channels, its requests. All in its event loop, but for what other threads hand over by
 * {@link #execute} and the {@link Outbox}. A frame that makes no sense is answered by a sentence, and ends it.
 */
final class WorkerConnection implements FrameSink {
    /** Of answers that a client does not read, without data, which has a limit of its own. */
    private static final long UNREAD_BYTES_MAX = 64L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(WorkerConnection.class);

    /** A connection that is not greeted by then is closed: it may be anybody's. */
    private static final int GREETING_SECONDS = 10;

    /** Silence after which a client is asked for a word, and the one after which it is given up. */
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(120);

    /** Writers and channels of one connection: a task manager's, to all producers of its tasks at this worker. */
    private static final int STREAMS_MAX = 1 << 20;

    private final Channel channel;
    private final WorkerState state;
    private final Requests requests;
    private final Outbox outbox;
    private final IntObjectHashMap<PartitionWriter> writers = new IntObjectHashMap<>();
    private final IntObjectHashMap<ReadChannel> readers = new IntObjectHashMap<>();

    /** Writers that got bytes since the last pause. */
    private final ArrayList<PartitionWriter> touched = new ArrayList<>();

    /** Readers that can ask for something since the last pause: their devices see them together. */
    private final ArrayList<ReadChannel> asking = new ArrayList<>();

    private PartitionWriter streaming;
    private Hello hello;
    private Welcome welcome;
    private long heardNanos;
    private boolean ready;
    private boolean closed;

    WorkerConnection(Channel channel, WorkerState state, Requests requests) {
        this.channel = channel;
        this.state = state;
        this.requests = requests;
        this.outbox = new Outbox(channel, this::execute, state.pool());
        this.heardNanos = nanos();
    }

    long nanos() {
        return channel.eventLoop().ticker().nanoTime();
    }

    Channel channel() {
        return channel;
    }

    /** Whether the client has greeted, and proved that it knows the secret if there is one. */
    boolean isReady() {
        return ready;
    }

    /** The connection is open: from now on the client has some time to greet. */
    void awaitGreeting() {
        channel.eventLoop()
                .schedule(
                        () -> {
                            if (!ready) {
                                channel.close();
                            }
                        },
                        GREETING_SECONDS,
                        TimeUnit.SECONDS);
    }

    SlabPool pool() {
        return state.pool();
    }

    Outbox outbox() {
        return outbox;
    }

    @Override
    public void control(FrameHeader header, ByteBuf body) {
        if (!ready) {
            greet(header, body);
            return;
        }
        switch (header.type()) {
            case OPEN -> open(header.stream(), Open.read(fields(header, body)));
            case BEGIN -> begin(header);
            case END -> end(header);
            case CLOSE_WRITE -> closeWriter(header.stream());
            case OPEN_READ -> openRead(Fetching.OpenRead.read(fields(header, body)));
            case READ_CREDIT -> credit(header);
            case CLOSE_READ -> closeReader(header.stream());
            case PING -> send(FrameType.PONG, 0, header.stream(), header.count(), header.value());
            case PONG -> {}
            case ERROR -> LOG.info("{} says: {}", channel.remoteAddress(), Fault.read(fields(header, body)));
            default -> requests.handle(this, header, body);
        }
    }

    private static FieldReader fields(FrameHeader header, ByteBuf body) {
        return new FieldReader(header.type().name(), body);
    }

    private void greet(FrameHeader header, ByteBuf body) {
        if (welcome == null && header.type() == FrameType.HELLO) {
            hello = Hello.read(fields(header, body));
            welcome = state.handshake()
                    .welcome(hello, state.storage().worker(), state.storage().incarnation(), state.isDraining());
            send(FrameType.WELCOME, 0, welcome);
            ready = !state.handshake().isSecured();
        } else if (welcome != null && header.type() == FrameType.AUTH) {
            state.handshake().check(hello, welcome, Auth.read(fields(header, body)));
            ready = true;
        } else {
            throw new ProtocolException("expected " + (welcome == null ? "HELLO" : "AUTH")
                    + " at the begin of a connection, found " + header);
        }
    }

    private void open(int number, Open open) {
        checkNew(number);
        Fault fault = null;
        int slabs = PartitionWriter.slabs(state.pool());
        if (state.isDraining()) {
            fault = new Fault(Reason.DRAINING, "the worker drains: take another one");
        } else if (!state.pool().reserveToWrite(slabs)) {
            slabs = 1;
            fault = state.pool().reserveToWrite(slabs) ? null : busy();
        }
        if (fault != null) {
            if (fault.reason() == Reason.BUSY) {
                state.wantRoom(nanos());
            }
            send(FrameType.REFUSED, number, fault);
            return;
        }
        Catalog.Target target = null;
        try {
            target = state.catalog().open(open.key(), refusal -> send(FrameType.REFUSED, number, refusal));
        } finally {
            if (target == null) {
                state.pool().unreserveToWrite(slabs);
            }
        }
        if (target == null) {
            return;
        }
        SlabStream stream = new SlabStream(state.pool(), slabs);
        PartitionWriter writer =
                new PartitionWriter(this, state, open.key(), open.subpartitions(), target, number, stream);
        writers.put(number, writer);
        // Before there may be no memory to say so: what ends is counted.
        state.writerOpened(writer);
        writer.opened();
    }

    private Fault busy() {
        return new Fault(
                Reason.BUSY,
                "expected memory for another writer, found " + state.pool().usedBytes() + " of "
                        + state.pool().bytes() + " bytes in use: take another worker, or try again");
    }

    private void checkNew(int number) {
        if (writers.containsKey(number) || readers.containsKey(number)) {
            throw new ProtocolException("expected a new stream, found " + number + ", which is open");
        }
        if (writers.size() + readers.size() >= STREAMS_MAX) {
            throw new ProtocolException("expected at most " + STREAMS_MAX + " streams on a connection, found more");
        }
    }

    private void begin(FrameHeader header) {
        PartitionWriter writer = writers.get(header.stream());
        if (writer != null) {
            writer.begin(header.count(), header.flags());
        }
    }

    private void end(FrameHeader header) {
        PartitionWriter writer = writers.get(header.stream());
        if (writer != null) {
            writer.end(header.count(), header.value());
            touch(writer);
        }
    }

    private void closeWriter(int number) {
        PartitionWriter writer = writers.get(number);
        if (writer != null) {
            writer.close();
        }
    }

    /** A writer takes no more: frames for it that are under way are dropped from now on. */
    void writerEnded(int number, PartitionWriter writer) {
        if (writers.get(number) == writer) {
            writers.remove(number);
        }
        if (streaming == writer) {
            streaming = null;
        }
    }

    @Override
    public void streamBegins(FrameHeader header) {
        if (!ready || header.type() != FrameType.BLOCKS) {
            throw new ProtocolException("expected " + (ready ? "no data for a worker" : "HELLO") + ", found " + header);
        }
        streaming = writers.get(header.stream());
    }

    @Override
    public void streamPart(ByteBuf part, int length) {
        if (streaming != null) {
            PartitionWriter writer = streaming;
            writer.blocks(part, length);
            touch(writer);
        }
    }

    private void touch(PartitionWriter writer) {
        if (touched.isEmpty() || touched.get(touched.size() - 1) != writer) {
            touched.add(writer);
        }
    }

    @Override
    public void streamEnds() {
        streaming = null;
    }

    /** The event loop: a client that is gone without a word must not keep memory for ever. */
    void checkSilence() {
        long silent = nanos() - heardNanos;
        if (silent > GIVE_UP_NANOS) {
            LOG.warn("{} is silent and given up.", channel.remoteAddress());
            channel.close();
        } else if (silent > ASK_NANOS && ready) {
            send(FrameType.PING, 0, 0, 0, 0);
        }
    }

    /** The event loop: who waits for a directory that hangs shall do without it, as if the disk had failed. */
    void refuseHanging() {
        new ArrayList<>(writers.values()).forEach(PartitionWriter::refuseHanging);
        new ArrayList<>(readers.values()).forEach(this::refuseHanging);
    }

    private boolean refuseHanging(ReadChannel reader) {
        Fault fault = reader.hanging();
        if (fault != null) {
            closeReader(reader.stream());
            send(FrameType.READ_REFUSED, reader.stream(), fault);
        }
        return fault != null;
    }

    @Override
    public void pause() {
        heardNanos = nanos();
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).heard(heardNanos);
        }
        touched.clear();
        ReadChannel.submit(asking);
        channel.flush();
    }

    private void openRead(Fetching.OpenRead open) {
        for (Fetching.Channel each : open.channels()) {
            checkNew(each.channel());
            Content content = state.catalog().find(each.key());
            if (content == null) {
                send(
                        FrameType.READ_REFUSED,
                        each.channel(),
                        new Fault(
                                Reason.UNKNOWN_PARTITION,
                                "expected " + each.key()
                                        + " to be committed at this worker, found none: ask the next candidate"));
            } else {
                ReadChannel reader = new ReadChannel(this, each, content);
                readers.put(each.channel(), reader);
                state.readers().incrementAndGet();
                if (!refuseHanging(reader)) {
                    asking.add(reader);
                }
            }
        }
    }

    private void credit(FrameHeader header) {
        ReadChannel reader = readers.get(header.stream());
        if (reader != null) {
            if (!reader.addCredit(header.count())) {
                throw new ProtocolException("expected more credit, of less than 2^31 blocks in all, found " + header);
            }
            if (reader.wantsMore()) {
                asking.add(reader);
            }
        }
    }

    private void closeReader(int number) {
        ReadChannel reader = readers.remove(number);
        if (reader != null) {
            reader.cancel();
            state.readers().decrementAndGet();
        }
    }

    /** Any thread: data for the client. */
    void send(DataRun run) {
        outbox.add(run);
    }

    /** Any thread: a frame that keeps its place among data. */
    void sendLater(FrameType type, int flags, int stream, int count, long value, Body body) {
        outbox.add(() -> FrameHeader.frame(channel.alloc(), type, flags, stream, count, value, body));
    }

    /** Any thread: the last frame of a reader. */
    void endLater(ReadChannel reader, FrameType type, int flags, int count, long value, Body body) {
        sendLater(type, flags, reader.stream(), count, value, body);
        execute(() -> {
            if (readers.get(reader.stream()) == reader) {
                readers.remove(reader.stream());
                state.readers().decrementAndGet();
            }
        });
    }

    /** The device's thread: whether the client takes what it gets; if not, the reader is told when it does again. */
    boolean mayRead(ReadChannel reader) {
        return outbox.mayRead(reader);
    }

    void sent(int bytes) {
        outbox.sent(bytes);
    }

    /** Any thread: something to do in the event loop, and then what it wrote is sent; false if that loop has ended. */
    boolean execute(Runnable task) {
        try {
            channel.eventLoop().execute(() -> {
                try {
                    task.run();
                    channel.flush();
                } catch (RuntimeException | Error e) {
                    // As for a frame's error: who waits for an answer tries again on another connection.
                    channel.pipeline().fireExceptionCaught(e);
                }
            });
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("A connection's loop has ended.", e);
            return false;
        }
    }

    void send(FrameType type, int flags, int stream, int count, long value) {
        answer(FrameHeader.bare(channel.alloc(), type, flags, stream, count, value));
    }

    void send(FrameType type, int stream, Body body) {
        answer(FrameHeader.frame(channel.alloc(), type, 0, stream, 0, 0, body));
    }

    private void answer(ByteBuf frame) {
        channel.write(frame, channel.voidPromise());
        if (channel.bytesBeforeWritable() - outbox.unsentBytes() > UNREAD_BYTES_MAX) {
            LOG.warn("{} does not read what it is answered and is given up.", channel.remoteAddress());
            channel.close();
        }
    }

    @Override
    public void writable(boolean isWritable) {
        if (isWritable) {
            outbox.drain();
        }
    }

    @Override
    public void closed(Throwable cause) {
        if (closed) {
            return;
        }
        closed = true;
        for (PartitionWriter each : new ArrayList<>(writers.values())) {
            each.close();
        }
        for (ReadChannel each : readers.values()) {
            each.cancel();
            state.readers().decrementAndGet();
        }
        readers.clear();
        outbox.close();
        // Last, as there may be no memory for it.
        if (cause instanceof ProtocolException) {
            LOG.warn("The connection of {} is closed: {}", channel.remoteAddress(), cause.getMessage());
            Fault fault = new Fault(Reason.WRONG, cause.getMessage());
            channel.writeAndFlush(FrameHeader.frame(channel.alloc(), FrameType.ERROR, 0, 0, 0, 0, fault))
                    .addListener(ChannelFutureListener.CLOSE);
        } else if (cause != null && !(cause instanceof IOException)) {
            LOG.error("The connection of {} is closed by an error.", channel.remoteAddress(), cause);
        }
    }
}
