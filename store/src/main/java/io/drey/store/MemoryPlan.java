package io.drey.store;

import io.drey.foundation.Arena;
import io.drey.foundation.DreyException;
import io.drey.store.log.HybridLog;

/**
 * How a store divides its share of the slot's memory: limits of the caches, a fixed part for what jobs need for a while, what
 * the indexes of runs and the caches take now, and the rest for the log.
 */
final class MemoryPlan {
    private static final int FILTERS_PERCENT = 25;
    private static final int JOBS_PERCENT = 10;
    private static final int METADATA_PERCENT_MAX = 55;

    /** Blocks leave so much to the log, however large indexes and filters are. */
    private static final int LOG_PERCENT_MIN = 20;

    /** What the log leaves for caches to grow into. */
    private static final int GROWTH_PERCENT = 2;

    private final SlotMemory memory;

    MemoryPlan(SlotMemory memory) {
        this.memory = memory;
    }

    /** Most frames of blocks, for a cache that never has more. */
    int blockFramesMax(int blockBytes) {
        return frames(MemoryBalance.BLOCKS_PERCENT_MAX, blockBytes);
    }

    /** Frames of blocks that may be held now: so many percent of the memory, less what the log would lack beside the rest. */
    int blockFrames(int percent, int blockBytes, int filterPages) {
        int share = memory.pagesPerStore();
        long other = (long) share * (JOBS_PERCENT + GROWTH_PERCENT + LOG_PERCENT_MIN) / 100;
        long left = Math.max(0, share - other - metadataPages() - filterPages)
                * memory.arena().pageBytes();
        return (int) Math.max(1, Math.min(frames(percent, blockBytes), left / blockBytes));
    }

    /** The store's part of the pages that indexes of runs take. */
    private long metadataPages() {
        Arena arena = memory.arena();
        return arena.usedBytes(Arena.Use.METADATA) / arena.pageBytes() * memory.pagesPerStore() / arena.pages();
    }

    int filterFrames(int filterPageBytes) {
        return frames(FILTERS_PERCENT, filterPageBytes);
    }

    private int frames(int percent, int frameBytes) {
        long bytes = shareBytes() * percent / 100;
        return (int) Math.max(1, Math.min(1 << 28, bytes / frameBytes));
    }

    /** Pages that caches must leave for what jobs of all stores need for a while. */
    int scratchPages() {
        return (int) ((long) memory.arena().pages() * JOBS_PERCENT / 100);
    }

    long shareBytes() {
        return (long) memory.pagesPerStore() * memory.arena().pageBytes();
    }

    /** Pages that the log may hold now, where caches hold so many. */
    int logPages(int cachePages) {
        Arena arena = memory.arena();
        int share = memory.pagesPerStore();
        long metadata = metadataPages();
        if (metadata * 100 > (long) share * METADATA_PERCENT_MAX) {
            throw new DreyException("expected the indexes of the state's files to take at most " + METADATA_PERCENT_MAX
                    + " % of the store's memory of " + shareBytes() + " bytes, found "
                    + metadata * arena.pageBytes() + " bytes: give the task more managed memory");
        }
        long fixed = (long) share * (JOBS_PERCENT + GROWTH_PERCENT) / 100;
        return (int) Math.max(HybridLog.pagesMin(), share - fixed - metadata - cachePages);
    }
}
