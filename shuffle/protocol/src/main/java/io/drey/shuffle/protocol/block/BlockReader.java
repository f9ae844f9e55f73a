package io.drey.shuffle.protocol.block;

import io.drey.foundation.Memory;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.netty.buffer.ByteBuf;

/** Cuts a stream of bytes, in parts of any length, into blocks, and checks the bounds of each. Allocates nothing. */
public final class BlockReader {
    private final BlockSink sink;
    private final byte[] header = new byte[BlockFormat.HEADER_BYTES];
    private int gathered;
    private int left;
    private boolean inPayload;

    public BlockReader(BlockSink sink) {
        this.sink = sink;
    }

    /** Whether the next byte begins a block. */
    public boolean isBetweenBlocks() {
        return gathered == 0 && !inPayload;
    }

    /** Takes the next {@code length} bytes of {@code in} and moves its reader index past them. */
    public void read(ByteBuf in, int length) {
        int todo = length;
        while (todo > 0) {
            if (inPayload) {
                int part = Math.min(left, todo);
                int end = in.readerIndex() + part;
                sink.blockPart(in, part);
                in.readerIndex(end);
                left -= part;
                todo -= part;
            } else {
                int part = Math.min(BlockFormat.HEADER_BYTES - gathered, todo);
                in.readBytes(header, gathered, part);
                gathered += part;
                todo -= part;
                if (gathered == BlockFormat.HEADER_BYTES) {
                    begin();
                }
            }
            if (inPayload && left == 0) {
                inPayload = false;
                sink.blockEnds();
            }
        }
    }

    private void begin() {
        int length = intAt(BlockFormat.LENGTH_AT);
        int subpartition = intAt(BlockFormat.SUBPARTITION_AT);
        if (length < 0 || length > BlockFormat.PAYLOAD_BYTES_MAX) {
            throw new ProtocolException("expected a block of 0 to " + BlockFormat.PAYLOAD_BYTES_MAX + " bytes, found "
                    + (length & 0xffffffffL) + ": the largest network buffer is " + BlockFormat.PAYLOAD_BYTES_MAX);
        }
        if (subpartition < 0 || subpartition >= BlockFormat.SUBPARTITIONS_MAX) {
            throw new ProtocolException("expected a subpartition of 0 to " + (BlockFormat.SUBPARTITIONS_MAX - 1)
                    + ", found " + (subpartition & 0xffffffffL));
        }
        gathered = 0;
        left = length;
        inPayload = true;
        sink.blockBegins(length, subpartition, intAt(BlockFormat.FLAGS_AT), intAt(BlockFormat.CHECKSUM_AT));
    }

    private int intAt(int at) {
        return Memory.getInt(header, at);
    }
}
