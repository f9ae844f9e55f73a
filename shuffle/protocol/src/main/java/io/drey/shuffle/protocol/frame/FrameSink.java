package io.drey.shuffle.protocol.frame;

import io.netty.buffer.ByteBuf;

/** Takes the frames of one connection, in its event loop. What it throws ends the connection. */
public interface FrameSink {
    /**
     * A whole frame of a kind that is not streamed.
     *
     * @param header valid during the call
     * @param body its bytes between the indexes, valid during the call; empty if there are none
     */
    void control(FrameHeader header, ByteBuf body);

    /** A streamed frame begins; its header is valid until {@link #streamEnds}. */
    void streamBegins(FrameHeader header);

    /**
     * The next bytes of its body.
     *
     * @param part where to read exactly {@code length} bytes; valid during the call
     */
    void streamPart(ByteBuf part, int length);

    void streamEnds();

    /** All that could be read at the moment was handed on: the time to send what was gathered. */
    void pause();

    /** The connection is at its end: the last call. The cause is null if the other end closed it. */
    void closed(Throwable cause);

    /** Whether the connection can take more bytes, or no longer, has changed. */
    void writable(boolean isWritable);
}
