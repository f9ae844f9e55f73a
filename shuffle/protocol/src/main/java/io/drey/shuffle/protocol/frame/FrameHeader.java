package io.drey.shuffle.protocol.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Locale;

/**
 * The first bytes of every frame; numbers little endian. What count, value and flags mean stands with each
 * {@link FrameType}; without a meaning they are 0. One object is read into again and again.
 *
 * <pre>
 *   0             4      5       6         8            12          16          24
 *  +-------------+------+-------+---------+------------+-----------+-----------+
 *  | body length | type | flags | "DS"    | stream     | count     | value     |
 *  +-------------+------+-------+---------+------------+-----------+-----------+
 * </pre>
 */
public final class FrameHeader {
    public static final int BYTES = 24;

    static final int MAGIC = 'D' | 'S' << 8;

    private FrameType type;
    private int flags;
    private int length;
    private int stream;
    private int count;
    private long value;

    public FrameType type() {
        return type;
    }

    public int flags() {
        return flags;
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** Bytes of the body. */
    public int length() {
        return length;
    }

    public int stream() {
        return stream;
    }

    public int count() {
        return count;
    }

    public long value() {
        return value;
    }

    /** Reads {@link #BYTES} and checks them. */
    void read(ByteBuf in) {
        length = in.readIntLE();
        int code = in.readUnsignedByte();
        flags = in.readUnsignedByte();
        int magic = in.readUnsignedShortLE();
        stream = in.readIntLE();
        count = in.readIntLE();
        value = in.readLongLE();
        if (magic != MAGIC) {
            throw new ProtocolException(String.format(
                    Locale.ROOT,
                    "expected a frame of Drey's shuffle protocol (magic %04x), found %04x: is this its port?",
                    MAGIC,
                    magic));
        }
        type = FrameType.of(code);
        if (type == null) {
            throw new ProtocolException("expected a known kind of frame, found code " + code);
        }
        if (length < 0 || length > type.bodyBytesMax()) {
            throw new ProtocolException("expected at most " + type.bodyBytesMax() + " bytes in a frame " + type
                    + ", found " + (length & 0xffffffffL));
        }
    }

    /** Writes the header of a frame. */
    public static void put(ByteBuf out, FrameType type, int flags, int stream, int count, long value, int length) {
        out.writeIntLE(length).writeByte(type.code()).writeByte(flags).writeShortLE(MAGIC);
        out.writeIntLE(stream).writeIntLE(count).writeLongLE(value);
    }

    /** A frame without a body. */
    public static ByteBuf bare(ByteBufAllocator memory, FrameType type, int flags, int stream, int count, long value) {
        ByteBuf out = memory.ioBuffer(BYTES, BYTES);
        put(out, type, flags, stream, count, value, 0);
        return out;
    }

    /** A whole control frame. */
    public static ByteBuf frame(
            ByteBufAllocator memory, FrameType type, int flags, int stream, int count, long value, Body body) {
        ByteBuf out = memory.ioBuffer(256);
        try {
            put(out, type, flags, stream, count, value, 0);
            body.write(new FieldWriter(out));
            int length = out.readableBytes() - BYTES;
            if (length > type.bodyBytesMax()) {
                throw new ProtocolException("expected at most " + type.bodyBytesMax() + " bytes in a frame " + type
                        + ", found " + length + ": use fewer partitions or subpartitions a request");
            }
            out.setIntLE(out.readerIndex(), length);
            return out.retain();
        } finally {
            out.release();
        }
    }

    @Override
    public String toString() {
        return type + " of stream " + stream + ", count " + count + ", value " + value + ", flags " + flags + ", "
                + length + " bytes";
    }
}
