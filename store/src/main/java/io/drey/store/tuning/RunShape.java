package io.drey.store.tuning;

/**
 * Decides how runs of the last level are written, by how much of the memory their indexes and filters would take: in
 * larger blocks, where the index would not fit otherwise and a read costs more than decompressing some more, and
 * without filters, where these would not fit. Pure: made anew from numbers and from the shape before.
 *
 * @param doublings how often the size of blocks is doubled
 */
public record RunShape(int doublings, Blocks blocks, Filter filter) {
    /** The reason of the size of blocks. */
    public enum Blocks {
        INDEX_FITS,
        /** What a smaller index and better compression save of memory and reads is more than decompressing less. */
        READS_COST_MUCH,
        /** Reading a page of the index costs less than decompressing larger blocks. */
        DISK_IS_FAST,
        INDEX_IS_LARGE
    }

    /** With a filter or without, and the reason. */
    public enum Filter {
        FITS,
        /** A part of it in memory saves reads, as keys are often absent. */
        WANTED,
        TOO_LARGE;

        public boolean isWritten() {
            return this != TOO_LARGE;
        }
    }

    /**
     * The numbers of all runs of a store.
     *
     * @param indexBytes of their indexes if no block were doubled
     * @param memoryBytes of the store
     * @param blockBytes of a block that is not doubled
     * @param isFilterWanted whether keys are often absent
     */
    public record Measured(long entries, double indexBytes, long memoryBytes, int blockBytes, boolean isFilterWanted) {}

    /** Before there is anything to decide by. */
    public static final RunShape FIRST = new RunShape(0, Blocks.INDEX_FITS, Filter.FITS);

    /** Doubled blocks become no larger: these decompress in the time of a fast SSD's read. */
    private static final int BLOCK_BYTES_MAX = 64 << 10;

    /** Smaller blocks are doubled where reads cost more than decompressing. Frames of the cache are no larger. */
    public static final int CACHED_BLOCK_BYTES = 4 << 10;

    /** Of a filter for an entry. */
    private static final double FILTER_BITS = 10.5;

    /** A filter that does not fit is worth reading where at least such a part of keys is absent. */
    public static final double ABSENT_MIN = 0.25;

    /** Of the memory: what an index may take, and what filters may, if they are read whole. */
    private static final int INDEX_PERCENT = 10;

    private static final int FILTER_PERCENT = 30;

    /** How many times larger filters are written that are in memory in parts. */
    private static final int WANTED_FACTOR = 4;

    /** Blocks become smaller again when the index would be so many times smaller than it may be. */
    private static final int HYSTERESIS = 2;

    /** The shape for what was measured, after the one before. */
    public static RunShape decide(Measured now, RunShape before, DiskSpeed disk) {
        return blocks(now, before, disk, filter(now));
    }

    /** How often blocks are doubled at least, as soon as they are flushed. */
    public static int doublingsMin(int blockBytes, DiskSpeed disk) {
        return disk.isKeepingWorth() && blockBytes < CACHED_BLOCK_BYTES ? 1 : 0;
    }

    /** Of so much memory, what an index may take. */
    static double indexRoomBytes(long memoryBytes) {
        return memoryBytes * (INDEX_PERCENT / 100.0);
    }

    private static Filter filter(Measured now) {
        double bytes = now.entries() * FILTER_BITS / 8;
        double room = now.memoryBytes() * (FILTER_PERCENT / 100.0);
        if (bytes <= room) {
            return Filter.FITS;
        }
        return now.isFilterWanted() && bytes <= room * WANTED_FACTOR ? Filter.WANTED : Filter.TOO_LARGE;
    }

    private static RunShape blocks(Measured now, RunShape before, DiskSpeed disk, Filter filter) {
        double room = indexRoomBytes(now.memoryBytes());
        if (!disk.isKeepingWorth()) {
            return new RunShape(0, now.indexBytes() <= room ? Blocks.INDEX_FITS : Blocks.DISK_IS_FAST, filter);
        }
        int least = doublingsMin(now.blockBytes(), disk);
        int doublings = Math.max(least, before.doublings());
        while (now.blockBytes() << doublings < BLOCK_BYTES_MAX && now.indexBytes() / (1 << doublings) > room) {
            doublings++;
        }
        while (doublings > least && now.indexBytes() / (1 << (doublings - 1)) * HYSTERESIS <= room) {
            doublings--;
        }
        if (doublings > least) {
            return new RunShape(doublings, Blocks.INDEX_IS_LARGE, filter);
        }
        return new RunShape(doublings, doublings == 0 ? Blocks.INDEX_FITS : Blocks.READS_COST_MUCH, filter);
    }

    /** The size of a block. */
    public int blockBytes(int base) {
        return base << doublings;
    }
}
