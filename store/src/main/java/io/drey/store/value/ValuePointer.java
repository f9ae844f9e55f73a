package io.drey.store.value;

import io.drey.foundation.Memory;
import io.drey.store.file.FileId;

/**
 * The layout of the value of an entry of kind POINTER, little endian:
 *
 * <pre>
 *  0          16        24       32       40              44
 *  +----------+---------+--------+--------+---------------+------------+
 *  | head     | id high | id low | offset | stored length | raw length |
 *  +----------+---------+--------+--------+---------------+------------+
 * </pre>
 *
 * The head is the first bytes of the value, padded with zeros: what is to be known of values without reading them. The
 * id is that of the value log, so that a pointer means the same wherever it is copied.
 */
public final class ValuePointer {
    public static final int BYTES = 48;

    /** Bytes of the value that stand in the pointer. */
    public static final int HEAD_BYTES = 16;

    private static final int ID_HIGH_OFFSET = 16;
    private static final int ID_LOW_OFFSET = 24;
    private static final int OFFSET_OFFSET = 32;
    private static final int STORED_OFFSET = 40;
    private static final int RAW_OFFSET = 44;

    private ValuePointer() {}

    /** Writes {@link #BYTES} bytes; the value is still where it was. */
    static void encode(long at, FileId log, long offset, int storedLength, long value, int rawLength) {
        int head = Math.min(HEAD_BYTES, rawLength);
        Memory.putLong(at, 0);
        Memory.putLong(at + 8, 0);
        Memory.copy(value, at, head);
        Memory.putLong(at + ID_HIGH_OFFSET, log.high());
        Memory.putLong(at + ID_LOW_OFFSET, log.low());
        Memory.putLong(at + OFFSET_OFFSET, offset);
        Memory.putInt(at + STORED_OFFSET, storedLength);
        Memory.putInt(at + RAW_OFFSET, rawLength);
    }

    /** Whether a value begins with the head. */
    public static boolean hasHead(long at, long value, int length) {
        int head = Math.min(HEAD_BYTES, length);
        return Memory.compare(at, head, value, head) == 0;
    }

    /** Whether the value stands in a log. */
    public static boolean isInto(long at, ValueLog log) {
        return idHigh(at) == log.id().high() && idLow(at) == log.id().low();
    }

    public static long idHigh(long at) {
        return Memory.getLong(at + ID_HIGH_OFFSET);
    }

    public static long idLow(long at) {
        return Memory.getLong(at + ID_LOW_OFFSET);
    }

    /** Where in its log the value stands. */
    public static long offset(long at) {
        return Memory.getLong(at + OFFSET_OFFSET);
    }

    /** Bytes that the value takes in its log. */
    public static int storedLength(long at) {
        return Memory.getInt(at + STORED_OFFSET);
    }

    /** Bytes of the value. */
    public static int rawLength(long at) {
        return Memory.getInt(at + RAW_OFFSET);
    }
}
