package io.drey.cli.shuffle;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Handshake;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Clients of a worker that have greeted and want nothing. */
public final class IdleConnections implements AutoCloseable {
    private final List<SocketChannel> open = new ArrayList<>();
    private final ByteBuffer received = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

    /** Makes one more. */
    public void connect(InetSocketAddress worker) throws IOException {
        SocketChannel socket = SocketChannel.open();
        open.add(socket);
        socket.connect(worker);
        send(socket, FrameType.HELLO, new Handshake(null).hello("idle"));
        receive(socket, FrameType.WELCOME);
    }

    public int size() {
        return open.size();
    }

    /** Fails unless the worker answers on each of them. */
    public void expectAnswers() throws IOException {
        for (SocketChannel each : open) {
            send(each, FrameType.PING, out -> {});
            receive(each, FrameType.PONG);
        }
    }

    private static void send(SocketChannel socket, FrameType type, Body body) throws IOException {
        ByteBuf frame = FrameHeader.frame(UnpooledByteBufAllocator.DEFAULT, type, 0, 0, 0, 0, body);
        ByteBuffer bytes = frame.nioBuffer();
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
        frame.release();
    }

    /** Reads frames up to one of a type; others are the worker's questions. */
    private void receive(SocketChannel socket, FrameType wanted) throws IOException {
        int code;
        do {
            fill(socket, FrameHeader.BYTES);
            int length = received.getInt(0);
            code = received.get(Integer.BYTES) & 0xff;
            fill(socket, length);
        } while (code != wanted.code());
    }

    private void fill(SocketChannel socket, int length) throws IOException {
        received.clear().limit(length);
        while (received.hasRemaining()) {
            if (socket.read(received) < 0) {
                throw new EOFException("the worker closed an idle connection");
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel each : open) {
            each.close();
        }
    }
}
