package io.drey.shuffle.protocol.block;

/**
 * The bytes of a block, on the wire and in files; numbers little endian. The payload is what the producer made of one
 * network buffer, compressed or not: only clients know what the flags mean.
 *
 * <pre>
 *   0                4              8       12       16
 *  +----------------+--------------+-------+--------+---------+
 *  | payload length | subpartition | flags | CRC32C | payload |
 *  +----------------+--------------+-------+--------+---------+
 * </pre>
 *
 * In a region blocks are ordered by subpartition, in rotated order: ascending from the first one to the highest, then
 * from 0 up to the one before the first.
 */
public final class BlockFormat {
    public static final int HEADER_BYTES = 16;

    public static final int LENGTH_AT = 0;
    public static final int SUBPARTITION_AT = 4;
    public static final int FLAGS_AT = 8;
    public static final int CHECKSUM_AT = 12;

    /** Most bytes of a payload: the largest network buffer. */
    public static final int PAYLOAD_BYTES_MAX = 2 << 20;

    public static final int SUBPARTITIONS_MAX = 1 << 16;

    private BlockFormat() {}
}
