package io.drey.foundation;

import java.util.Arrays;
import java.util.Objects;

/** A growable byte array that is filled and read again and again by one thread: what a read returns its value in. */
public final class Bytes {
    private static final int CAPACITY_FIRST = 256;
    private static final int KEPT_BYTES_MAX = 4 << 20;

    private static final int LARGE_BYTES = 1 << 29;

    private byte[] array;
    private int length;

    public Bytes() {
        this(CAPACITY_FIRST);
    }

    public Bytes(int capacity) {
        array = new byte[capacity];
    }

    /** The bytes; valid in {@code [0, length())} until the next change. */
    public byte[] array() {
        return array;
    }

    public int length() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    public void length(int newLength) {
        ensure(newLength);
        length = newLength;
    }

    public void append(byte[] bytes, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        ensure(length + count);
        Memory.copy(bytes, offset, array, length, count);
        length += count;
    }

    /** Appends {@code count} bytes of memory. */
    public void append(long address, int count) {
        ensure(length + count);
        Memory.copy(address, array, length, count);
        length += count;
    }

    public void append(byte value) {
        ensure(length + 1);
        array[length++] = value;
    }

    /**
     * Appends a number that is not negative, seven bits to a byte, the lowest first; all bytes but the last have bit 7.
     */
    public void appendVarint(int value) {
        int left = value;
        while (left >= 0x80) {
            append((byte) (left | 0x80));
            left >>>= 7;
        }
        append((byte) left);
    }

    /** Grows the array, never the length. */
    public void ensure(int capacity) {
        if (capacity < 0) {
            throw new DreyException("expected a value of less than 2 GB, found one of " + (capacity & 0xffffffffL)
                    + " bytes: split it");
        }
        if (capacity > array.length) {
            array = Arrays.copyOf(array, Math.max(capacity, grown(array.length)));
        }
    }

    /** Twice as many, but of large ones a quarter more: their double would be most of a heap. */
    static int grown(int bytes) {
        long more = bytes < LARGE_BYTES ? bytes : bytes / 4;
        return (int) Math.min(bytes + more, Integer.MAX_VALUE - 8);
    }

    /** Appends what is in it to others, and {@link #trim}s it. */
    public void moveTo(Bytes others) {
        others.append(array, 0, length);
        trim();
    }

    /** Empties it, and gives up an array that grew beyond what is worth keeping. */
    public void trim() {
        length = 0;
        if (array.length > KEPT_BYTES_MAX) {
            array = new byte[CAPACITY_FIRST];
        }
    }

    /** A copy of the valid bytes. */
    public byte[] toArray() {
        return Arrays.copyOf(array, length);
    }
}
