package io.drey.keyed.timer;

import io.drey.foundation.Memory;
import java.util.Arrays;

/**
 * A serialized timer, or any other element of a queue, where it stands in some array: filled anew for every operation.
 * Elements are ordered by their bytes. The first eight of them are also the <em>rank</em>, a signed number of the same
 * order; Flink's timers begin with their time, with the sign bit flipped, so that the rank of a timer is its time.
 */
public final class Element {
    private static final int RANK_BYTES = Long.BYTES;
    private static final byte[] NOTHING = new byte[0];

    /** So many bytes weigh as much as one more element where elements are counted. */
    private static final int BYTES_PER_WEIGHT = 64;

    private int keyGroup;
    private byte[] bytes;
    private int offset;
    private int length;
    private long rank;

    public Element at(int newKeyGroup, byte[] newBytes, int newOffset, int newLength) {
        keyGroup = newKeyGroup;
        bytes = newBytes;
        offset = newOffset;
        length = newLength;
        rank = rank(newBytes, newOffset, newLength);
        return this;
    }

    /** What comes before all elements of a rank. */
    Element before(long newRank) {
        at(keyGroup, NOTHING, 0, 0);
        rank = newRank;
        return this;
    }

    /** The rank of an element; a shorter one is filled up with zeros. */
    static long rank(byte[] bytes, int offset, int length) {
        if (length >= RANK_BYTES) {
            return Long.reverseBytes(Memory.getLong(bytes, offset)) ^ Long.MIN_VALUE;
        }
        long rank = 0;
        for (int i = 0; i < RANK_BYTES; i++) {
            rank = rank << 8 | (i < length ? bytes[offset + i] & 0xff : 0);
        }
        return rank ^ Long.MIN_VALUE;
    }

    /** The bytes that all elements of a rank begin with, if they are long enough; in byte order of ranks. */
    static void putRank(long rank, byte[] bytes) {
        long left = rank ^ Long.MIN_VALUE;
        for (int i = RANK_BYTES - 1; i >= 0; i--) {
            bytes[i] = (byte) left;
            left >>>= 8;
        }
    }

    /** What an element of that length counts for. */
    static int weight(int length) {
        return 1 + length / BYTES_PER_WEIGHT;
    }

    int weight() {
        return weight(length);
    }

    int keyGroup() {
        return keyGroup;
    }

    long rank() {
        return rank;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    byte[] toArray() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** The order of this element and other bytes of the same rank. */
    int compareBytes(byte[] other, int otherOffset, int otherLength) {
        return Arrays.compareUnsigned(bytes, offset, offset + length, other, otherOffset, otherOffset + otherLength);
    }
}
