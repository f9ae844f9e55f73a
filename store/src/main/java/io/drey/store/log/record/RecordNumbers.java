package io.drey.store.log.record;

import io.drey.foundation.Arena;

/**
 * The numbers by which records name each other: their places in an arena, in its units. Records begin at multiples of a
 * unit from the header of their page on, and none has number 0. Any thread.
 */
public final class RecordNumbers {
    private final long origin;
    private final int shift;

    RecordNumbers(Arena arena) {
        this(arena.base(), arena.unitBytes());
    }

    RecordNumbers(long base, int unitBytes) {
        this.origin = base + LogPages.HEADER - unitBytes;
        this.shift = Integer.numberOfTrailingZeros(unitBytes);
    }

    /** Where the record of a number is. */
    public long address(int number) {
        return address(number, origin, shift);
    }

    /** The same for who keeps {@link #origin} and {@link #shift} at hand. */
    static long address(int number, long origin, int shift) {
        return origin + ((number & 0xffffffffL) << shift);
    }

    long origin() {
        return origin;
    }

    int shift() {
        return shift;
    }

    /** The number of the record at an address. */
    public int number(long address) {
        return (int) ((address - origin) >>> shift);
    }
}
