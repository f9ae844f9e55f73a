package io.drey.shuffle.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.BooleanSupplier;

/**
 * Cuts the bytes of a connection into frames. A control frame is gathered in a buffer that grows with what arrived,
 * never with what was announced; the body of a streamed frame is handed on as it arrives, without a copy. A frame of a
 * broken peer is refused by its header.
 */
public final class FrameReader extends ChannelInboundHandlerAdapter {
    private static final int FIRST_BODY_BYTES = 512;

    private final FrameSink sink;
    private final BooleanSupplier isGreeted;
    private final FrameHeader header = new FrameHeader();
    private ByteBuf gathered;
    private boolean inBody;
    private int left;
    private Throwable cause;
    private boolean done;

    public FrameReader(FrameSink sink) {
        this(sink, () -> true);
    }

    /** @param isGreeted whether the other end is known; until then it gets no memory for more than greetings */
    public FrameReader(FrameSink sink, BooleanSupplier isGreeted) {
        this.sink = sink;
        this.isGreeted = isGreeted;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        gathered = context.alloc().heapBuffer(FIRST_BODY_BYTES);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            while (in.isReadable() && !done) {
                step(in);
            }
        } catch (RuntimeException e) {
            exceptionCaught(context, e);
        } finally {
            in.release();
        }
    }

    private void step(ByteBuf in) {
        if (!inBody) {
            gather(in, FrameHeader.BYTES);
            if (gathered.readableBytes() < FrameHeader.BYTES) {
                return;
            }
            header.read(gathered);
            if (header.length() > FrameType.HELLO.bodyBytesMax() && !isGreeted.getAsBoolean()) {
                throw new ProtocolException("expected a greeting at the begin of a connection, found " + header);
            }
            gathered.clear();
            inBody = true;
            left = header.length();
            if (header.type().isStreamed()) {
                sink.streamBegins(header);
            }
        }
        if (header.type().isStreamed()) {
            streamed(in);
        } else {
            whole(in);
        }
    }

    private void streamed(ByteBuf in) {
        int length = Math.min(left, in.readableBytes());
        if (length > 0) {
            int end = in.readerIndex() + length;
            sink.streamPart(in, length);
            in.readerIndex(end);
            left -= length;
        }
        if (left == 0) {
            inBody = false;
            sink.streamEnds();
        }
    }

    private void whole(ByteBuf in) {
        if (gathered.readableBytes() == 0 && in.readableBytes() >= left) {
            // Nothing was gathered: the body is read where it arrived.
            int end = in.readerIndex() + left;
            int limit = in.writerIndex();
            in.writerIndex(end);
            inBody = false;
            sink.control(header, in);
            in.writerIndex(limit).readerIndex(end);
            return;
        }
        gather(in, header.length());
        if (gathered.readableBytes() == header.length()) {
            inBody = false;
            sink.control(header, gathered);
            gathered.clear();
            shrink();
        }
    }

    private void gather(ByteBuf in, int wanted) {
        int length = Math.min(wanted - gathered.readableBytes(), in.readableBytes());
        gathered.writeBytes(in, length);
    }

    /** One large message does not keep its memory for the connection's life. */
    private void shrink() {
        if (gathered.capacity() > 16 * FIRST_BODY_BYTES) {
            gathered.capacity(FIRST_BODY_BYTES);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (!done) {
            sink.pause();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!done) {
            sink.writable(context.channel().isWritable());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        if (cause == null) {
            cause = thrown;
        }
        end(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        end(context);
        gathered.release();
    }

    /** What went wrong at this end, so that the connection is closed; null if nothing did. */
    public Throwable cause() {
        return cause;
    }

    private void end(ChannelHandlerContext context) {
        if (!done) {
            done = true;
            try {
                sink.closed(cause);
            } finally {
                context.close();
            }
        }
    }
}
