package io.drey.files;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of all bytes of a file, made while they pass: CRC32C as a number that is never {@link #NONE}. One
 * thread.
 */
public final class FileChecksum {
    /** Stands for the checksum of a file of which it is not known. */
    public static final long NONE = 0;

    private static final long KNOWN = 1L << 32;

    /** Of CRC32C, the highest power in the lowest bit. */
    private static final int POLYNOMIAL = 0x82F63B78;

    private static final int X = 1 << (Integer.SIZE - 2);

    private final CRC32C crc = new CRC32C();

    /** Adds the remaining bytes of a buffer, which keeps its position. */
    public void add(ByteBuffer bytes) {
        int position = bytes.position();
        crc.update(bytes);
        bytes.position(position);
    }

    /** Adds bytes of an array. */
    public void add(byte[] bytes, int offset, int length) {
        crc.update(bytes, offset, length);
    }

    /** The checksum of what was added so far. */
    public long value() {
        return KNOWN | crc.getValue();
    }

    /**
     * The checksum of bytes that follow others, given those of both parts: the first one, moved by so many zeros, and
     * the second one added. Both are polynomials, and each zero bit multiplies by x.
     */
    public static long joined(long first, long second, long secondBytes) {
        int moved = (int) first;
        int power = X;
        for (long bits = secondBytes * Byte.SIZE; bits > 0; bits >>>= 1) {
            if ((bits & 1) != 0) {
                moved = product(moved, power);
            }
            power = product(power, power);
        }
        return KNOWN | Integer.toUnsignedLong(moved ^ (int) second);
    }

    /** Of two polynomials, modulo that of CRC32C. */
    private static int product(int a, int b) {
        int sum = 0;
        int shifted = b;
        for (int left = a; left != 0; left <<= 1) {
            sum ^= shifted & (left >> (Integer.SIZE - 1));
            shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
        }
        return sum;
    }
}
