package io.drey.shuffle.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import java.util.UUID;

/**
 * Writes fields: a tag of 1 byte, the length in 4 bytes, and the bytes. A number has 0 to 8 bytes, the lowest first. A
 * field may be repeated; one that a reader does not know is skipped, so that a version can add some.
 */
public final class FieldWriter {
    private final ByteBuf out;

    public FieldWriter(ByteBuf out) {
        this.out = out;
    }

    public FieldWriter number(int tag, long value) {
        int bytes = (Long.SIZE - Long.numberOfLeadingZeros(value) + 7) / 8;
        begin(tag, bytes);
        long left = value;
        for (int i = 0; i < bytes; i++) {
            out.writeByte((int) left);
            left >>>= 8;
        }
        return this;
    }

    public FieldWriter flag(int tag, boolean value) {
        return number(tag, value ? 1 : 0);
    }

    public FieldWriter text(int tag, String value) {
        return bytes(tag, value.getBytes(UTF_8));
    }

    public FieldWriter bytes(int tag, byte[] value) {
        begin(tag, value.length);
        out.writeBytes(value);
        return this;
    }

    public FieldWriter id(int tag, UUID value) {
        begin(tag, 16);
        out.writeLongLE(value.getMostSignificantBits());
        out.writeLongLE(value.getLeastSignificantBits());
        return this;
    }

    /** Numbers in seven bits a byte, the lowest first; all bytes of a number but its last have bit 7. */
    public FieldWriter numbers(int tag, long[] values) {
        int at = begin(tag, 0);
        for (long value : values) {
            long left = value;
            while ((left & ~0x7fL) != 0) {
                out.writeByte((int) left | 0x80);
                left >>>= 7;
            }
            out.writeByte((int) left);
        }
        end(at);
        return this;
    }

    public FieldWriter nested(int tag, Body value) {
        int at = begin(tag, 0);
        value.write(this);
        end(at);
        return this;
    }

    private int begin(int tag, int length) {
        out.writeByte(tag);
        out.writeIntLE(length);
        return out.writerIndex();
    }

    private void end(int at) {
        out.setIntLE(at - Integer.BYTES, out.writerIndex() - at);
    }
}
