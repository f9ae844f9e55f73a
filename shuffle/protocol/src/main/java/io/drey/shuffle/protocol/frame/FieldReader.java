package io.drey.shuffle.protocol.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.UUID;

/**
 * Reads what {@link FieldWriter} wrote, each length checked before anything is made of it. {@link #next} goes to the
 * next field; then one of the others may read it, once.
 */
public final class FieldReader {
    private static final int FIELD_HEADER_BYTES = 5;
    private static final int NUMBER_BYTES_MAX = 10;

    private final String message;
    private final ByteBuf in;
    private final int end;
    private int next;
    private int tag;
    private int length;

    /** @param message what errors call it */
    public FieldReader(String message, ByteBuf in) {
        this(message, in, in.readerIndex(), in.writerIndex());
    }

    private FieldReader(String message, ByteBuf in, int from, int end) {
        this.message = message;
        this.in = in;
        this.next = from;
        this.end = end;
    }

    /** The next field's tag, or -1 at the end. */
    public int next() {
        if (next == end) {
            return -1;
        }
        if (end - next < FIELD_HEADER_BYTES) {
            throw wrong("a field's header", (end - next) + " bytes");
        }
        tag = in.getUnsignedByte(next);
        length = in.getIntLE(next + 1);
        int at = next + FIELD_HEADER_BYTES;
        if (length < 0 || length > end - at) {
            throw wrong("at most " + (end - at) + " bytes in field " + tag, (length & 0xffffffffL) + "");
        }
        next = at + length;
        return tag;
    }

    private int at() {
        return next - length;
    }

    public long number() {
        if (length > Long.BYTES) {
            throw wrong("a number of at most 8 bytes in field " + tag, length + " bytes");
        }
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = value << 8 | in.getUnsignedByte(at() + i);
        }
        return value;
    }

    /** A number within bounds, both inclusive. */
    public int number(int least, int most) {
        long value = number();
        if (value < least || value > most) {
            throw wrong("a number of " + least + " to " + most + " in field " + tag, value + "");
        }
        return (int) value;
    }

    /** A number that is not negative. */
    public long size() {
        long value = number();
        if (value < 0) {
            throw wrong("a number that is not negative in field " + tag, value + "");
        }
        return value;
    }

    public boolean flag() {
        return number(0, 1) == 1;
    }

    public String text(int bytesMax) {
        return new String(bytes(bytesMax), UTF_8);
    }

    public byte[] bytes(int bytesMax) {
        if (length > bytesMax) {
            throw wrong("at most " + bytesMax + " bytes in field " + tag, length + "");
        }
        byte[] bytes = new byte[length];
        in.getBytes(at(), bytes);
        return bytes;
    }

    public UUID id() {
        if (length != 2 * Long.BYTES) {
            throw wrong("16 bytes in field " + tag, length + "");
        }
        return new UUID(in.getLongLE(at()), in.getLongLE(at() + Long.BYTES));
    }

    public long[] numbers(int countMax) {
        long[] values = new long[Math.min(length, countMax)];
        int count = 0;
        int from = at();
        while (from < next) {
            if (count == countMax) {
                throw wrong("at most " + countMax + " numbers in field " + tag, "more");
            }
            long value = 0;
            int read = 0;
            int each;
            do {
                if (from == next || read == NUMBER_BYTES_MAX) {
                    throw wrong("the end of number " + count + " in field " + tag, "none");
                }
                each = in.getUnsignedByte(from++);
                value |= (each & 0x7fL) << (7 * read++);
            } while (each >= 0x80);
            values[count++] = value;
        }
        return count == values.length ? values : Arrays.copyOf(values, count);
    }

    /** A reader of the message in this field. */
    public FieldReader nested() {
        return new FieldReader(message, in, at(), next);
    }

    /** The value of a field that must be there. */
    public <T> T required(T value, String name) {
        if (value == null) {
            throw wrong("the field " + name, "none");
        }
        return value;
    }

    /** The error of a message that has a sound form and a wrong content. */
    public ProtocolException wrong(String expected, String found) {
        return new ProtocolException("message " + message + ": expected " + expected + ", found " + found);
    }
}
