package io.drey.shuffle.protocol.request;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameReader;
import io.drey.shuffle.protocol.frame.FrameSink;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Greeting.Auth;
import io.drey.shuffle.protocol.message.Greeting.Hello;
import io.drey.shuffle.protocol.message.Greeting.Welcome;
import io.drey.shuffle.protocol.message.Handshake;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A connection to a worker or registry for requests that are answered by one frame. Its state is its event loop's. */
public final class RequestConnection implements FrameSink, AutoCloseable {
    /** For a dial, and once more for the greeting: for a process that stands still its system takes connections. */
    private static final int CONNECT_TIMEOUT_SECONDS = 5;

    /** A connection that leaves a request without an answer for so long is closed: it may carry nothing. */
    private static final int ANSWER_TIMEOUT_SECONDS = 30;

    /** Requests that wait for an answer at the same time. */
    private static final int REQUESTS_MAX = 1024;

    private final String address;
    private final Handshake handshake;
    private final Hello hello;
    private final CompletableFuture<RequestConnection> ready = new CompletableFuture<>();
    private final Map<Integer, CompletableFuture<Answer>> waiting = new HashMap<>();
    private Channel channel;
    private Welcome welcome;
    private int next = 1;
    private Throwable end;

    /** Whether the other end speaks this protocol: then it, or what it said, tells what is wrong. */
    private boolean isWorker;

    /** The answer to a request. */
    public static final class Answer {
        private final FrameType type;
        private final int flags;
        private final byte[] body;

        private Answer(FrameType type, int flags, byte[] body) {
            this.type = type;
            this.flags = flags;
            this.body = body;
        }

        public boolean has(int flag) {
            return (flags & flag) != 0;
        }

        public FieldReader fields() {
            return new FieldReader(type.name(), Unpooled.wrappedBuffer(body));
        }
    }

    private RequestConnection(String address, Handshake handshake, String software) {
        this.address = address;
        this.handshake = handshake;
        this.hello = handshake.hello(software);
    }

    /** Connects and greets; the result fails with a sentence if that is not possible, or takes too long. */
    public static CompletableFuture<RequestConnection> connect(
            EventLoopGroup group, String host, int port, Handshake handshake, String software) {
        Bootstrap sockets =
                new Bootstrap().group(group).channel(NioSocketChannel.class).option(ChannelOption.TCP_NODELAY, true);
        return connect(sockets, host, port, handshake, software);
    }

    /** The same by channels of any kind. */
    public static CompletableFuture<RequestConnection> connect(
            Bootstrap channels, String host, int port, Handshake handshake, String software) {
        RequestConnection connection = new RequestConnection(host + ":" + port, handshake, software);
        channels.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_SECONDS * 1_000)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connection.channel = channel;
                        channel.pipeline().addLast(new FrameReader(connection));
                    }
                })
                .connect(host, port)
                .addListener((ChannelFuture future) -> connection.connected(future));
        return connection.ready;
    }

    private void connected(ChannelFuture future) {
        if (future.isSuccess()) {
            limit(ready, "a greeting", CONNECT_TIMEOUT_SECONDS);
            send(FrameType.HELLO, 0, hello);
        } else {
            fail(future.cause());
        }
    }

    private void limit(CompletableFuture<?> answer, String what, int seconds) {
        ScheduledFuture<?> limit = channel.eventLoop()
                .schedule(
                        () -> {
                            end(new DreyException("expected " + what + " of " + address + " within " + seconds
                                    + " s, found none: what listens there stands still, or is no worker; see its"
                                    + " process and its log"));
                            channel.close();
                        },
                        seconds,
                        TimeUnit.SECONDS);
        answer.whenComplete((done, failure) -> limit.cancel(false));
    }

    private void send(FrameType type, int stream, Body body) {
        ByteBuf frame = body == null
                ? FrameHeader.bare(channel.alloc(), type, 0, stream, 0, 0)
                : FrameHeader.frame(channel.alloc(), type, 0, stream, 0, 0, body);
        channel.writeAndFlush(frame, channel.voidPromise());
    }

    /** Sends a request, whose body may be null; it fails with a sentence if it is refused, or not answered in time. */
    public CompletableFuture<Answer> request(FrameType type, Body body) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        channel.eventLoop().execute(() -> {
            if (end != null) {
                answer.completeExceptionally(end);
            } else if (waiting.size() == REQUESTS_MAX) {
                answer.completeExceptionally(new DreyException("expected at most " + REQUESTS_MAX + " requests to "
                        + address + " that wait for an answer, found more: it does not answer"));
            } else {
                waiting.put(next, answer);
                limit(answer, "an answer", ANSWER_TIMEOUT_SECONDS);
                send(type, next++, body);
            }
        });
        return answer;
    }

    /** What the other end said of itself. */
    public Welcome welcome() {
        return welcome;
    }

    @Override
    public void control(FrameHeader header, ByteBuf body) {
        isWorker = true;
        switch (header.type()) {
            case WELCOME -> {
                welcome = Welcome.read(new FieldReader("WELCOME", body));
                Auth auth = handshake.answer(hello, welcome);
                if (auth != null) {
                    send(FrameType.AUTH, 0, auth);
                }
                ready.complete(this);
            }
            case GOAWAY, PONG -> {}
            case PING ->
                channel.writeAndFlush(FrameHeader.bare(channel.alloc(), FrameType.PONG, 0, 0, 0, header.value()));
            case ERROR ->
                throw new ProtocolException(
                        Fault.read(new FieldReader("ERROR", body)).sentence());
            default -> answer(header, body);
        }
    }

    private void answer(FrameHeader header, ByteBuf body) {
        CompletableFuture<Answer> answer = waiting.remove(header.stream());
        if (answer == null) {
            throw new ProtocolException("expected the answer to a request, found " + header);
        }
        if (header.type() == FrameType.FAILED) {
            answer.completeExceptionally(new FaultException(Fault.read(new FieldReader("FAILED", body))));
        } else {
            byte[] bytes = new byte[body.readableBytes()];
            body.getBytes(body.readerIndex(), bytes);
            answer.complete(new Answer(header.type(), header.flags(), bytes));
        }
    }

    @Override
    public void streamBegins(FrameHeader header) {
        throw new ProtocolException("expected answers to requests only, found " + header);
    }

    @Override
    public void streamPart(ByteBuf part, int length) {}

    @Override
    public void streamEnds() {}

    @Override
    public void pause() {}

    @Override
    public void writable(boolean isWritable) {}

    @Override
    public void closed(Throwable cause) {
        fail(cause == null ? new DreyException("it closed the connection") : cause);
    }

    private void fail(Throwable cause) {
        boolean isRefused = isWorker && cause instanceof ProtocolException;
        end(new DreyException(
                isRefused
                        ? "no connection to " + address + ": " + cause.getMessage()
                        : "expected an answer of " + address + ", found: " + cause.getMessage()
                                + "; is a worker running there?",
                cause));
    }

    private void end(DreyException sentence) {
        end = end == null ? sentence : end;
        ready.completeExceptionally(end);
        // Who hears of it may close the connection.
        List<CompletableFuture<Answer>> left = List.copyOf(waiting.values());
        waiting.clear();
        left.forEach(each -> each.completeExceptionally(end));
    }

    @Override
    public void close() {
        channel.close();
    }
}
