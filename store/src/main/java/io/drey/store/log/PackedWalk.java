package io.drey.store.log;

import io.drey.foundation.Memory;

/** The entries of a packed map in order: those of its front, and those of its base that the front has not. One thread; reused. */
final class PackedWalk {
    private long front;
    private long base;
    private int frontNext;
    private int baseNext;
    private int frontEntries;
    private int baseEntries;
    private long frontOffsets;
    private long baseOffsets;
    private long record;
    private long entry;
    private int slot;

    /** Begins before slots of the front and of the base, which is 0 if there is none. */
    void begin(long newFront, int frontSlot, long newBase, int baseSlot) {
        front = newFront;
        base = newBase;
        frontNext = frontSlot;
        baseNext = baseSlot;
        frontEntries = PackedRow.entries(newFront);
        baseEntries = newBase == 0 ? 0 : PackedRow.entries(newBase);
        frontOffsets = PackedRow.offsets(newFront);
        baseOffsets = newBase == 0 ? 0 : PackedRow.offsets(newBase);
    }

    boolean next() {
        if (baseNext == baseEntries) {
            return frontNext < frontEntries && takeFront();
        }
        if (frontNext == frontEntries) {
            return takeBase();
        }
        int order = compare();
        if (order > 0) {
            return takeBase();
        }
        if (order == 0) {
            baseNext++;
        }
        return takeFront();
    }

    private boolean takeFront() {
        record = front;
        slot = frontNext++;
        entry = PackedRow.entry(front, frontOffsets, slot);
        return true;
    }

    private boolean takeBase() {
        record = base;
        slot = baseNext++;
        entry = PackedRow.entry(base, baseOffsets, slot);
        return true;
    }

    private int compare() {
        long x = PackedRow.entry(front, frontOffsets, frontNext);
        long y = PackedRow.entry(base, baseOffsets, baseNext);
        return Memory.compare(
                PackedRow.keyAddress(x), PackedRow.keyLength(x), PackedRow.keyAddress(y), PackedRow.keyLength(y));
    }

    /** The record of the entry, front or base. */
    long record() {
        return record;
    }

    int slot() {
        return slot;
    }

    long entry() {
        return entry;
    }
}
