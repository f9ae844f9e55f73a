package io.drey.store;

import io.drey.foundation.Arena;
import io.drey.store.cache.FrameCache;
import io.drey.store.cache.Ghosts;
import io.drey.store.log.HybridLog;

/**
 * Moves memory between the log, which caches single records, and the cache of blocks, to where a little more of it would
 * save more. Both note what they evicted lately ({@link Ghosts}), in a window of the same number of bytes; what a block
 * that comes back would have saved, and what a record, is added up over some misses of the log, and then the limit of the
 * block cache moves by a step. Where records are small and asked for evenly a block is worth more, where few of them are
 * hot a record is.
 */
final class MemoryBalance {
    private static final int BLOCKS_PERCENT_MIN = 5;
    static final int BLOCKS_PERCENT_MAX = 50;
    private static final int BLOCKS_PERCENT_FIRST = 25;
    private static final int STEP_PERCENT = 2;

    /** The window, as a part of the store's memory. */
    private static final int WINDOW_FRACTION = 16;

    /** About what a record takes in the log; only to choose how many are noted. */
    private static final int RECORD_BYTES = 96;

    /** Misses of the log from one decision to the next: one for so many bytes of memory, within limits. */
    private static final int BYTES_PER_MISS = 16 << 10;

    private static final int DECISION_MISSES_MIN = 16;
    private static final int DECISION_MISSES_MAX = 64 << 10;

    /** A decision is for a gain of at least this part of a miss for each. */
    private static final int GAIN_FRACTION = 64;

    /** A side must save so much more, in percent, than the other. */
    private static final int ADVANTAGE_PERCENT = 130;

    /** What finding a record in runs costs, and what reading and unpacking a block does. */
    private static final int SEARCH_COST = 1;

    private static final int READ_COST = 4;

    private final FrameCache blocks;
    private final int recordWeight;
    private final int decisionMisses;
    private int blocksPercent = BLOCKS_PERCENT_FIRST;
    private int misses;
    private long moves;
    private long recordGain;
    private long blockMissesSeen;

    /** The balance of a store of so many bytes. The blocks are watched from now on. */
    MemoryBalance(FrameCache blocks, Ghosts records, long shareBytes) {
        this.blocks = blocks;
        this.recordWeight = records.weight();
        this.decisionMisses =
                (int) Math.max(DECISION_MISSES_MIN, Math.min(DECISION_MISSES_MAX, shareBytes / BYTES_PER_MISS));
        long frames = shareBytes / WINDOW_FRACTION / blocks.frameBytes();
        blocks.watch(new Ghosts((int) frames, frames));
    }

    /** Ghosts of records for a store of so many bytes. */
    static Ghosts recordGhosts(Arena arena, long shareBytes) {
        long windowBytes = shareBytes / WINDOW_FRACTION;
        return new Ghosts((int) (windowBytes / arena.pageBytes()), windowBytes / RECORD_BYTES);
    }

    int blocksPercent() {
        return blocksPercent;
    }

    /** How often memory was moved; any thread. */
    long moves() {
        return moves;
    }

    /**
     * A value was not in the log and was found in runs.
     *
     * @param isBack whether a somewhat larger log would have had it, see {@link HybridLog#wouldBeHere}
     * @param isRead whether a block was read for it
     * @return whether it was decided anew how much memory blocks may have
     */
    boolean missed(boolean isBack, boolean isRead) {
        if (isBack) {
            recordGain += (long) recordWeight * (SEARCH_COST + (isRead ? READ_COST : 0));
        }
        if (++misses < decisionMisses) {
            return false;
        }
        decide();
        return true;
    }

    private void decide() {
        long blockMisses = blocks.missesOfSize();
        long blockGain = (blockMisses - blockMissesSeen) * READ_COST;
        int before = blocksPercent;
        if (isWorth(blockGain, recordGain)) {
            blocksPercent = Math.min(BLOCKS_PERCENT_MAX, before + STEP_PERCENT);
        } else if (isWorth(recordGain, blockGain)) {
            blocksPercent = Math.max(BLOCKS_PERCENT_MIN, before - STEP_PERCENT);
        }
        if (blocksPercent != before) {
            moves++;
        }
        misses = 0;
        recordGain = 0;
        blockMissesSeen = blockMisses;
    }

    private boolean isWorth(long gain, long loss) {
        return gain > decisionMisses / GAIN_FRACTION && gain * 100 > loss * ADVANTAGE_PERCENT;
    }
}
