package io.drey.store.log;

import io.drey.foundation.Memory;

/** The entries of a packed map in order: those of its head, and those of its base that the head has not. One thread; reused. */
final class PackedWalk {
    private long head;
    private long base;
    private int headNext;
    private int baseNext;
    private int headEntries;
    private int baseEntries;
    private long record;
    private int slot;

    /** Begins before slots of the head and of the base, which is 0 if there is none. */
    void begin(long newHead, int headSlot, long newBase, int baseSlot) {
        head = newHead;
        base = newBase;
        headNext = headSlot;
        baseNext = baseSlot;
        headEntries = PackedGroup.entries(newHead);
        baseEntries = newBase == 0 ? 0 : PackedGroup.entries(newBase);
    }

    boolean next() {
        if (baseNext == baseEntries) {
            return headNext < headEntries && take(head, headNext++);
        }
        if (headNext == headEntries) {
            return take(base, baseNext++);
        }
        int order = compare();
        if (order > 0) {
            return take(base, baseNext++);
        }
        if (order == 0) {
            baseNext++;
        }
        return take(head, headNext++);
    }

    private boolean take(long newRecord, int newSlot) {
        record = newRecord;
        slot = newSlot;
        return true;
    }

    private int compare() {
        long x = PackedGroup.entry(head, headNext);
        long y = PackedGroup.entry(base, baseNext);
        return Memory.compare(
                PackedGroup.keyAddress(x),
                PackedGroup.keyLength(x),
                PackedGroup.keyAddress(y),
                PackedGroup.keyLength(y));
    }

    /** The record of the entry, head or base. */
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
