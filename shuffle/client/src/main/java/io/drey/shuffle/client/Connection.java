package io.drey.shuffle.client;

import io.drey.shuffle.protocol.block.RunReader;
import io.drey.shuffle.protocol.block.RunSink;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameReader;
import io.drey.shuffle.protocol.frame.FrameSink;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.Greeting.Auth;
import io.drey.shuffle.protocol.message.Greeting.Hello;
import io.drey.shuffle.protocol.message.Greeting.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One connection of a lane, from the dialing to its end: greeting, pulse, streams. Belongs to the lane's event loop.
 */
final class Connection implements FrameSink, RunSink {
    /** A stream of a connection. */
    interface User {
        /** The connection is open: now frames may be sent. Not called if it was open before. */
        void opened();

        /** A frame of this stream; header and body are valid during the call. */
        void control(FrameHeader header, ByteBuf body);

        /** The connection, and with it the stream, is at its end: the last call. */
        void disconnected(Throwable cause);

        /** The connection takes more bytes again. */
        default void writable() {}
    }

    /** A stream that gets blocks. */
    interface Reader extends User {
        void runBegins(int region, int firstBlock);

        void blockBegins(int payloadLength, int subpartition, int flags, int checksum);

        void blockPart(ByteBuf part, int length);

        void blockEnds();
    }

    private static final long PULSE_MS = 10_000;
    private static final int SILENT_PULSES_MAX = 3;
    private static final int OPENS_MAX = 1024;

    private final Lane lane;
    private final UUID worker;
    private final InetSocketAddress address;
    private final IntObjectHashMap<User> users = new IntObjectHashMap<>();
    private final RunReader runs = new RunReader(this);
    private final List<Fetching.Channel> opening = new ArrayList<>();
    private Channel channel;
    private Hello hello;
    private Welcome welcome;
    private boolean isEnded;
    private boolean isCut;
    private boolean isFlushDue;
    private int nextStream;
    private boolean heard;
    private int silentPulses;
    private Future<?> pulse;
    private Reader reader;

    /** @param worker which one is expected at the address, or null if any */
    Connection(Lane lane, UUID worker, InetSocketAddress address) {
        this.lane = lane;
        this.worker = worker;
        this.address = address;
    }

    void dial() {
        ChannelFuture dialed = lane.bootstrap()
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel made) {
                        made.pipeline().addLast(new FrameReader(Connection.this, () -> welcome != null));
                    }
                })
                .connect(address);
        channel = dialed.channel();
        dialed.addListener((ChannelFutureListener) done -> {
            if (done.isSuccess()) {
                hello = lane.handshake().hello("drey client");
                send(FrameType.HELLO, 0, 0, 0, hello);
                lane.loop().schedule(this::checkGreeted, lane.connectTimeoutMs(), TimeUnit.MILLISECONDS);
                // Not at a rate: after a pause of the process all missed ones would come at once, and before any
                // answer.
                pulse = lane.loop().scheduleWithFixedDelay(this::pulse, PULSE_MS, PULSE_MS, TimeUnit.MILLISECONDS);
            } else if (lane.loop().inEventLoop()) {
                end(done.cause());
            } else {
                // Without a channel, as of too many open files, Netty tells it in a thread of its own.
                lane.loop().execute(() -> end(done.cause()));
            }
        });
    }

    /** A process that stands still takes connections, as its system does that for it. */
    private void checkGreeted() {
        if (welcome == null) {
            close(new IOException("no greeting within " + lane.connectTimeoutMs() + " ms from " + this));
        }
    }

    private void pulse() {
        if (heard) {
            heard = false;
            silentPulses = 0;
        } else if (++silentPulses >= SILENT_PULSES_MAX) {
            close(new IOException("nothing heard for " + PULSE_MS * SILENT_PULSES_MAX + " ms from " + this));
        } else if (isOpen()) {
            send(FrameType.PING, 0, 0, 0, 0);
        }
    }

    Future<?> schedule(Runnable action, long delay, TimeUnit unit) {
        return lane.loop().schedule(action, delay, unit);
    }

    /** Whether the other end has welcomed us. */
    boolean isOpen() {
        return welcome != null && !isEnded;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Of the other end's storage; only of an open connection. */
    UUID incarnation() {
        return welcome.incarnation();
    }

    /** Takes part; the stream's number. */
    int attach(User user) {
        do {
            nextStream = nextStream + 1 & Integer.MAX_VALUE;
        } while (users.containsKey(nextStream));
        users.put(nextStream, user);
        return nextStream;
    }

    /** Leaves; what still comes for the stream is ignored. */
    void detach(int stream) {
        User gone = users.remove(stream);
        if (gone != null && gone == reader) {
            reader = null;
        }
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    void send(FrameType type, int flags, int stream, int count, long value) {
        write(() -> FrameHeader.bare(channel.alloc(), type, flags, stream, count, value));
    }

    void send(FrameType type, int stream, int count, long value, Body body) {
        write(() -> FrameHeader.frame(channel.alloc(), type, 0, stream, count, value, body));
    }

    /** Opens of one turn of the loop go together. */
    void open(Fetching.Channel read) {
        opening.add(read);
        flushSoon();
    }

    private void write(Supplier<ByteBuf> frame) {
        attempt(() -> {
            writeOpens();
            channel.write(frame.get(), channel.voidPromise());
        });
        flushSoon();
    }

    /** A frame for which there is no memory leaves a gap in its stream: no more is sent then, as if by a cut. */
    private void attempt(Runnable sending) {
        if (isCut) {
            return;
        }
        try {
            sending.run();
        } catch (RuntimeException | Error e) {
            isCut = true;
            lane.loop().execute(() -> {
                close(e);
                // For the log.
                throw e;
            });
        }
    }

    /** Sends bytes of a region; it is kept until the network has them. */
    void sendBlocks(int stream, Region region, List<ByteBuf> parts, int length) {
        attempt(() -> {
            ByteBuf header = channel.alloc().ioBuffer(FrameHeader.BYTES, FrameHeader.BYTES);
            FrameHeader.put(header, FrameType.BLOCKS, 0, stream, 0, 0, length);
            region.retain();
            channel.write(header, channel.voidPromise());
            for (int i = 0; i < parts.size() - 1; i++) {
                channel.write(parts.get(i), channel.voidPromise());
            }
            // The network takes writes in order, and a connection's end fails them all.
            channel.write(parts.get(parts.size() - 1)).addListener(done -> region.release());
        });
        flushSoon();
    }

    private void flushSoon() {
        if (!isFlushDue) {
            isFlushDue = true;
            lane.loop().execute(this::flush);
        }
    }

    private void flush() {
        isFlushDue = false;
        attempt(() -> {
            writeOpens();
            channel.flush();
        });
    }

    /** Before anything else, which may be of the same streams. */
    private void writeOpens() {
        for (int i = 0; i < opening.size(); i += OPENS_MAX) {
            List<Fetching.Channel> some = opening.subList(i, Math.min(opening.size(), i + OPENS_MAX));
            Body body = new Fetching.OpenRead(some);
            ByteBuf frame = FrameHeader.frame(channel.alloc(), FrameType.OPEN_READ, 0, 0, 0, 0, body);
            channel.write(frame, channel.voidPromise());
        }
        opening.clear();
    }

    @Override
    public void control(FrameHeader header, ByteBuf body) {
        heard = true;
        switch (header.type()) {
            case WELCOME -> welcome(Welcome.read(new FieldReader("WELCOME", body)));
            case ERROR -> close(new IOException(this + " says: " + Fault.read(new FieldReader("ERROR", body))));
            case PING -> send(FrameType.PONG, 0, 0, 0, 0);
            // What the going worker does not take is refused stream by stream.
            case PONG, GOAWAY -> {}
            default -> {
                checkWelcomed(header);
                User user = users.get(header.stream());
                if (user != null) {
                    user.control(header, body);
                }
            }
        }
    }

    /** Nobody is believed, nor told anything, before he has proved who he is. */
    private void checkWelcomed(FrameHeader header) {
        if (welcome == null) {
            throw new ProtocolException("expected WELCOME from " + this + ", found " + header);
        }
    }

    private void welcome(Welcome message) {
        Auth auth = lane.handshake().answer(hello, message);
        if (worker != null && !worker.equals(message.worker())) {
            close(new IOException("expected worker " + worker + " at " + address + ", found " + message.worker()));
            return;
        }
        welcome = message;
        if (auth != null) {
            send(FrameType.AUTH, 0, 0, 0, auth);
        }
        for (User user : new ArrayList<>(users.values())) {
            user.opened();
        }
    }

    @Override
    public void streamBegins(FrameHeader header) {
        heard = true;
        checkWelcomed(header);
        if (header.type() != FrameType.DATA) {
            throw new ProtocolException("expected DATA from a worker, found " + header);
        }
    }

    @Override
    public void streamPart(ByteBuf part, int length) {
        heard = true;
        runs.read(part, length);
    }

    @Override
    public void streamEnds() {
        if (!runs.isBetweenRuns()) {
            throw new ProtocolException("expected whole runs in a DATA frame of " + this + ", found a part of one");
        }
    }

    @Override
    public void runBegins(int stream, int region, int firstBlock, int blocks) {
        reader = users.get(stream) instanceof Reader known ? known : null;
        if (reader != null) {
            reader.runBegins(region, firstBlock);
        }
    }

    @Override
    public void blockBegins(int payloadLength, int subpartition, int flags, int checksum) {
        if (reader != null) {
            reader.blockBegins(payloadLength, subpartition, flags, checksum);
        }
    }

    @Override
    public void blockPart(ByteBuf part, int length) {
        if (reader != null) {
            reader.blockPart(part, length);
        }
    }

    @Override
    public void blockEnds() {
        if (reader != null) {
            reader.blockEnds();
        }
    }

    @Override
    public void runEnds() {
        reader = null;
    }

    @Override
    public void pause() {}

    @Override
    public void writable(boolean isWritable) {
        if (isWritable) {
            for (User user : new ArrayList<>(users.values())) {
                user.writable();
            }
        }
    }

    void close(Throwable cause) {
        end(cause);
        channel.close();
    }

    @Override
    public void closed(Throwable cause) {
        // A failed dialing is told by its own future, with its cause.
        if (hello != null) {
            end(cause == null ? new IOException(this + " closed the connection") : cause);
        }
    }

    private void end(Throwable cause) {
        if (isEnded) {
            return;
        }
        isEnded = true;
        if (pulse != null) {
            pulse.cancel(false);
        }
        lane.ended(this);
        List<User> left = new ArrayList<>(users.values());
        users.clear();
        reader = null;
        opening.clear();
        left.forEach(user -> tell(user, cause));
    }

    /** What one throws is logged, as of a task of its own, and does not keep others from being told. */
    private void tell(User user, Throwable cause) {
        try {
            user.disconnected(cause);
        } catch (RuntimeException | Error e) {
            lane.loop().execute(() -> {
                throw e;
            });
        }
    }

    UUID worker() {
        return worker;
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public String toString() {
        return (worker == null ? "the registry" : "worker " + worker) + " at " + address;
    }
}
