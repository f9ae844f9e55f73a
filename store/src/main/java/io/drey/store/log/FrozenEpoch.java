package io.drey.store.log;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.store.entry.EntryCursor;

/**
 * The records of one ended epoch, as a sealing thread reads them: pages with how far they were used at the freeze. Of
 * these records the owner changes nothing but their death, which it sets to a later epoch; their pages, and the group
 * records that map entries name, stay until the epoch is installed. The freeze happens before the thread that seals
 * starts, by the scheduler's queue.
 */
public final class FrozenEpoch {
    private final long base;
    private final int epoch;
    private final long[] pagesAndUsed;

    FrozenEpoch(long base, int epoch, long[] pagesAndUsed) {
        this.base = base;
        this.epoch = epoch;
        this.pagesAndUsed = pagesAndUsed;
    }

    int epoch() {
        return epoch;
    }

    /** All entries of the epoch in the order of keys; sorts them first, in memory from the arena. */
    public EntryCursor cursor(Arena arena, Overdraft overdraft) {
        return new SealCursor(base, epoch, pagesAndUsed, arena, overdraft);
    }
}
