package io.drey.store.cache;

import io.drey.foundation.Hash;

/**
 * Hashes of entries that have left a cache lately, to know what a somewhat larger cache would still have. Of all hashes
 * a sample is noted, in a table of a fixed size where a newer one takes an older one's place; so an answer counts for
 * {@link #weight()}. Time is the owner's: any count that goes up as things leave. One thread; allocates its table once.
 */
public final class GhostList {
    private static final int SLOTS = 1 << 12;

    /** Hashes noted in a window, so that few of them take another one's place. */
    private static final int NOTED = SLOTS / 4;

    private static final int SAMPLE_SHIFT = 20;

    private static final long[] EMPTY = new long[SLOTS];

    /** Half of the hash above, the time below; 0 where empty. Before anything has left, the same for all lists. */
    private long[] slots = EMPTY;

    private final int window;
    private final int sampleMask;

    /**
     * Ghosts that stay for a time.
     *
     * @param window the time, in the owner's units
     * @param left about how many things leave in that time
     */
    public GhostList(int window, long left) {
        this.window = window;
        long oneIn = Math.max(1, Math.min(1 << 16, left / NOTED));
        this.sampleMask = (int) Long.highestOneBit(oneIn) - 1;
    }

    /** How many things each one that is found stands for. */
    public int weight() {
        return sampleMask + 1;
    }

    /** Something left. */
    public void left(long name, int now) {
        long hash = Hash.combine(name, sampleMask);
        if (isSampled(hash)) {
            if (slots == EMPTY) {
                slots = new long[SLOTS];
            }
            slots[slotOf(hash)] = (hash & (-1L << 32)) | (now & 0xffffffffL);
        }
    }

    /** Whether something that is wanted again is known to have left within the window; it is forgotten then. */
    public boolean isBack(long name, int now) {
        long hash = Hash.combine(name, sampleMask);
        if (!isSampled(hash)) {
            return false;
        }
        long slot = slots[slotOf(hash)];
        if (slot == 0 || (slot ^ hash) >>> 32 != 0) {
            return false;
        }
        slots[slotOf(hash)] = 0;
        return now - (int) slot <= window;
    }

    private boolean isSampled(long hash) {
        return ((int) (hash >>> SAMPLE_SHIFT) & sampleMask) == 0;
    }

    private static int slotOf(long hash) {
        return (int) hash & SLOTS - 1;
    }
}
