package io.drey.shuffle.protocol.block;

import io.netty.buffer.ByteBuf;

/** Takes blocks as a {@link BlockReader} cuts them out of a stream of bytes. */
public interface BlockSink {
    /** A block begins: its header was read and is within bounds. */
    void blockBegins(int payloadLength, int subpartition, int flags, int checksum);

    /** The next bytes of the payload: exactly {@code length}, at the reader index, which may be left as it is. */
    void blockPart(ByteBuf part, int length);

    /** All bytes of the payload were given. */
    void blockEnds();
}
