package io.drey.keyed.timer;

import io.drey.foundation.Memory;
import java.util.Arrays;

/**
 * The bytes and key groups of the elements in {@link HeapTimers}, in one array without an object per element. Slots
 * come in sizes that are multiples of {@link #UNIT}, those over {@link #EXACT_MAX} in powers of two; one that is given
 * back waits for the next element of its size. One thread.
 *
 * <pre>
 *  slot:  0 int length   4 short key group   6 bytes
 *  free:  0 int next free slot of this size, or 0
 * </pre>
 */
final class ElementPool {
    private static final int LENGTH = 0;
    private static final int KEY_GROUP = 4;
    private static final int BYTES = 6;
    private static final int UNIT = 16;
    private static final int EXACT_MAX = 1024;
    private static final int SIZES = EXACT_MAX / UNIT + Integer.SIZE;
    private static final int FIRST_CAPACITY = 1 << 10;

    private static final int SLOT_BYTES_MAX = 1 << 30;

    /** A larger array is given up when the pool is empty. */
    private static final int CAPACITY_KEPT_MAX = 4 << 20;

    private final int[] free = new int[SIZES];
    private byte[] data = new byte[FIRST_CAPACITY];
    private int top = UNIT;
    private int liveBytes;

    private static int slotBytes(int length) {
        int bytes = (BYTES + length + UNIT - 1) & -UNIT;
        if (bytes <= EXACT_MAX) {
            return bytes;
        }
        if (bytes > SLOT_BYTES_MAX || bytes < 0) {
            throw new IllegalArgumentException(
                    "expected a timer of less than " + SLOT_BYTES_MAX + " bytes, found one of " + length);
        }
        return Integer.highestOneBit(bytes - 1) << 1;
    }

    private static int size(int slotBytes) {
        return slotBytes <= EXACT_MAX
                ? slotBytes / UNIT
                : EXACT_MAX / UNIT
                        + Integer.numberOfTrailingZeros(slotBytes)
                        - Integer.numberOfTrailingZeros(EXACT_MAX);
    }

    /** Whether there is room without {@link #grow}. */
    boolean hasRoom(int length) {
        int bytes = slotBytes(length);
        return free[size(bytes)] != 0 || top <= data.length - bytes;
    }

    /** Whether more than half of what is taken is free slots of other sizes: then a new pool is better than growth. */
    boolean isScattered() {
        return liveBytes < top / 2;
    }

    /** Makes room for one more element. */
    void grow(int length) {
        long wanted = Math.max(2L * data.length, (long) top + slotBytes(length));
        if (wanted > Integer.MAX_VALUE - UNIT) {
            throw new IllegalStateException("expected the next timers to take less than 2 GB, found " + wanted
                    + " bytes: set state.backend.drey.timer.cache-size lower");
        }
        data = Arrays.copyOf(data, (int) wanted);
    }

    /** Stores an element, for which there is room; the slot's number is never 0. */
    int put(Element element) {
        return put(element.keyGroup(), element.bytes(), element.offset(), element.length());
    }

    /** Stores a copy of an element of another pool. */
    int copy(ElementPool other, int slot) {
        int length = other.length(slot);
        if (!hasRoom(length)) {
            grow(length);
        }
        return put(other.keyGroup(slot), other.data, slot + BYTES, length);
    }

    private int put(int keyGroup, byte[] bytes, int offset, int length) {
        int slotBytes = slotBytes(length);
        int size = size(slotBytes);
        int slot = free[size];
        if (slot != 0) {
            free[size] = Memory.getInt(data, slot);
        } else {
            slot = top;
            top += slotBytes;
        }
        liveBytes += slotBytes;
        putInt(slot + LENGTH, length);
        data[slot + KEY_GROUP] = (byte) keyGroup;
        data[slot + KEY_GROUP + 1] = (byte) (keyGroup >>> 8);
        System.arraycopy(bytes, offset, data, slot + BYTES, length);
        return slot;
    }

    /** Gives a slot back; its bytes are void. */
    void free(int slot) {
        int slotBytes = slotBytes(length(slot));
        int size = size(slotBytes);
        putInt(slot, free[size]);
        free[size] = slot;
        liveBytes -= slotBytes;
    }

    /** Forgets everything, and the array if huge elements made it large. */
    void clear() {
        Arrays.fill(free, 0);
        top = UNIT;
        liveBytes = 0;
        if (data.length > CAPACITY_KEPT_MAX) {
            data = new byte[FIRST_CAPACITY];
        }
    }

    /** Bytes of the heap that the pool takes. */
    int capacity() {
        return data.length;
    }

    /** Holds an element at {@link #offset}, {@link #length} bytes long, until the next put. */
    byte[] bytes() {
        return data;
    }

    static int offset(int slot) {
        return slot + BYTES;
    }

    int length(int slot) {
        return Memory.getInt(data, slot + LENGTH);
    }

    int keyGroup(int slot) {
        return (data[slot + KEY_GROUP] & 0xff) | (data[slot + KEY_GROUP + 1] & 0xff) << 8;
    }

    private void putInt(int at, int value) {
        data[at] = (byte) value;
        data[at + 1] = (byte) (value >>> 8);
        data[at + 2] = (byte) (value >>> 16);
        data[at + 3] = (byte) (value >>> 24);
    }
}
