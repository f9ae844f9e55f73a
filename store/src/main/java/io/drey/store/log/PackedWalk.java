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
    private long record;
    private int slot;

    /** Begins before slots of the front and of the base, which is 0 if there is none. */
    void begin(long newFront, int frontSlot, long newBase, int baseSlot) {
        front = newFront;
        base = newBase;
        frontNext = frontSlot;
        baseNext = baseSlot;
        frontEntries = PackedGroup.entries(newFront);
        baseEntries = newBase == 0 ? 0 : PackedGroup.entries(newBase);
    }

    boolean next() {
        if (baseNext == baseEntries) {
            return frontNext < frontEntries && take(front, frontNext++);
        }
        if (frontNext == frontEntries) {
            return take(base, baseNext++);
        }
        int order = compare();
        if (order > 0) {
            return take(base, baseNext++);
        }
        if (order == 0) {
            baseNext++;
        }
        return take(front, frontNext++);
    }

    private boolean take(long newRecord, int newSlot) {
        record = newRecord;
        slot = newSlot;
        return true;
    }

    private int compare() {
        long x = PackedGroup.entry(front, frontNext);
        long y = PackedGroup.entry(base, baseNext);
        return Memory.compare(
                PackedGroup.keyAddress(x),
                PackedGroup.keyLength(x),
                PackedGroup.keyAddress(y),
                PackedGroup.keyLength(y));
    }

    /** The record of the entry, front or base. */
    long record() {
        return record;
    }

    int slot() {
        return slot;
    }

    long entry() {
        return PackedGroup.entry(record, slot);
    }
}
