package io.drey.store.log.map;

import io.drey.foundation.Memory;

/**
 * The entries of an inline map in order: those of its delta, and those of its base that the delta has not. One thread;
 * reused.
 */
final class InlineMapCursor {
    private long delta;
    private long base;
    private int deltaNext;
    private int baseNext;
    private int deltaEntries;
    private int baseEntries;
    private long deltaOffsets;
    private long baseOffsets;
    private long record;
    private long entry;
    private int slot;

    /** Begins before slots of the delta and of the base, which is 0 if there is none. */
    void begin(long newDelta, int deltaSlot, long newBase, int baseSlot) {
        delta = newDelta;
        base = newBase;
        deltaNext = deltaSlot;
        baseNext = baseSlot;
        deltaEntries = InlineMap.entries(newDelta);
        baseEntries = newBase == 0 ? 0 : InlineMap.entries(newBase);
        deltaOffsets = InlineMap.offsets(newDelta);
        baseOffsets = newBase == 0 ? 0 : InlineMap.offsets(newBase);
    }

    boolean next() {
        if (baseNext == baseEntries) {
            return deltaNext < deltaEntries && takeDelta();
        }
        if (deltaNext == deltaEntries) {
            return takeBase();
        }
        int order = compare();
        if (order > 0) {
            return takeBase();
        }
        if (order == 0) {
            baseNext++;
        }
        return takeDelta();
    }

    private boolean takeDelta() {
        record = delta;
        slot = deltaNext++;
        entry = InlineMap.entry(delta, deltaOffsets, slot);
        return true;
    }

    private boolean takeBase() {
        record = base;
        slot = baseNext++;
        entry = InlineMap.entry(base, baseOffsets, slot);
        return true;
    }

    private int compare() {
        long x = InlineMap.entry(delta, deltaOffsets, deltaNext);
        long y = InlineMap.entry(base, baseOffsets, baseNext);
        return Memory.compare(
                InlineMap.keyAddress(x), InlineMap.keyLength(x), InlineMap.keyAddress(y), InlineMap.keyLength(y));
    }

    /** The record of the entry, delta or base. */
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
