package io.drey.store.memory;

import io.drey.foundation.Arena;
import io.drey.foundation.DreyException;
import io.drey.store.log.HybridLog;

/**
 * The least memory in which a store goes on: the fewest pages of its log, and the buffers of one flush or compaction,
 * the others of which borrow for a moment. Less would be a store that waits for itself.
 */
public final class LeastMemory {
    /** Buffers of about a block that a job holds: for input, output, a block, its compressed form, indexes, a filter. */
    private static final int JOB_BUFFERS = 8;

    private LeastMemory() {}

    /** The least pages of each store of a slot. */
    public static int pages(int pageBytes, int blockBytes) {
        return HybridLog.pagesMin() + JOB_BUFFERS * ((blockBytes + pageBytes - 1) / pageBytes);
    }

    /** Throws if the stores that have joined a slot's memory have less than they need. */
    public static void check(SlotMemory memory, int blockBytes) {
        Arena arena = memory.arena();
        int least = pages(arena.pageBytes(), blockBytes);
        int found = memory.pagesPerStore();
        if (found < least) {
            long wanted = (long) least * memory.stores() * arena.pageBytes();
            throw new DreyException("expected at least " + least + " pages of " + arena.pageBytes()
                    + " bytes for each of the " + memory.stores() + " stores of a slot, found " + found + " in "
                    + arena.bytes() + " bytes: give the slot " + wanted
                    + " bytes of managed memory or more, and " + (long) least * arena.pageBytes()
                    + " for each operator with state that has not opened its store yet, or smaller pages"
                    + " (memory.page-size), or fewer operators with state");
        }
    }
}
