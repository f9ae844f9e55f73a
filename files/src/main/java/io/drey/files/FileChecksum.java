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
     * the second one added, bit by bit.
     */
    public static long joined(long first, long second, long secondBytes) {
        int[] zeros = new int[Integer.SIZE];
        zeros[0] = POLYNOMIAL;
        for (int bit = 1; bit < Integer.SIZE; bit++) {
            zeros[bit] = 1 << (bit - 1);
        }
        int moved = (int) first;
        for (long bits = secondBytes * Byte.SIZE; bits > 0; bits >>>= 1) {
            if ((bits & 1) != 0) {
                moved = product(zeros, moved);
            }
            int[] twice = new int[Integer.SIZE];
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                twice[bit] = product(zeros, zeros[bit]);
            }
            zeros = twice;
        }
        return KNOWN | Integer.toUnsignedLong(moved ^ (int) second);
    }

    /** A matrix of bits, times a vector of bits. */
    private static int product(int[] matrix, int vector) {
        int sum = 0;
        for (int left = vector; left != 0; left &= left - 1) {
            sum ^= matrix[Integer.numberOfTrailingZeros(left)];
        }
        return sum;
    }
}
