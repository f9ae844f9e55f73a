package io.drey.shuffle.protocol.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The CRC32C of a block: of its partition's seed, the first 12 bytes of its header and its payload. So a block of
 * another partition, or under another subpartition, is damage too. One thread at a time.
 */
public final class BlockChecksum {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer head =
            ByteBuffer.allocate(Long.BYTES + BlockFormat.CHECKSUM_AT).order(ByteOrder.LITTLE_ENDIAN);

    /** Starts the checksum of a block. */
    public BlockChecksum begin(long seed, int payloadLength, int subpartition, int flags) {
        head.putLong(0, seed);
        head.putInt(Long.BYTES + BlockFormat.LENGTH_AT, payloadLength);
        head.putInt(Long.BYTES + BlockFormat.SUBPARTITION_AT, subpartition);
        head.putInt(Long.BYTES + BlockFormat.FLAGS_AT, flags);
        crc.reset();
        crc.update(head.array());
        return this;
    }

    /** Adds the next bytes of the payload: those between the buffer's position and limit, which it consumes. */
    public BlockChecksum update(ByteBuffer payload) {
        crc.update(payload);
        return this;
    }

    public BlockChecksum update(byte[] payload, int offset, int length) {
        crc.update(payload, offset, length);
        return this;
    }

    public int value() {
        return (int) crc.getValue();
    }
}
