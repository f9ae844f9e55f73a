package io.drey.store.tuning;

/**
 * Counts the time that lookups lost by reads that a major compaction would save, and says whether it would have cost
 * less. It saves those in young runs that did not have what was sought: on a disk with few I/Os a filter that is not in
 * memory costs as much as the block that it saves, so that each young run costs a read; if little is written, the sizes
 * of runs would never make a major compaction due. And some of those of blocks that were compressed when reads were
 * cheap: compressed with Zstandard, more of them fit in memory. One thread.
 */
public final class CompactionPayoff {
    /** The decision, with its reason. */
    public enum Decision {
        WAIT_NOTHING_LOST,
        WAIT_COSTS_MORE_THAN_LOST,
        /** A major compaction, most of all because lookups read young runs that do not have what they seek. */
        COMPACT_YOUNG_RUNS_COST_READS,
        /** A major compaction, most of all because blocks that Zstandard compresses would be in memory. */
        COMPACT_ZSTD_SAVES_READS;

        public boolean isCompaction() {
            return this == COMPACT_YOUNG_RUNS_COST_READS || this == COMPACT_ZSTD_SAVES_READS;
        }
    }

    /** About what an entry costs in a major compaction. */
    private static final long ENTRY_NANOS = 300;

    /** A major compaction reads and writes in I/Os of so many bytes. */
    private static final long IO_BYTES = 256 << 10;

    /** The loss must be so many times the cost. */
    private static final int LOSS_MIN = 2;

    /** Blocks that are compressed with Zstandard take so much of what they take else. */
    private static final double ZSTD_SIZE = 0.75;

    /** Dense blocks save at least so much of the reads of others, also where memory holds few blocks yet. */
    private static final double SAVED_MIN = 0.125;

    private long entries;
    private long bytes;
    private long wasted;
    private long readsBefore;
    private long nanosBefore;
    private long withoutZstdBefore;

    /** Reads of one lookup in young runs that did not have what was sought. */
    public void wasted(long reads) {
        wasted += reads;
    }

    /** So many entries and bytes a major compaction would read now. */
    public void installed(long majorEntries, long majorBytes) {
        entries = majorEntries;
        bytes = majorBytes;
    }

    /**
     * Whether a major compaction of all runs costs less than what was lost since the last one. Hot path.
     *
     * @param reads all reads of lookups so far
     * @param nanos how long they took
     * @param withoutZstd those of blocks that a major compaction would compress with Zstandard; 0 if it would not
     * @param compressedShare the share of blocks that lookups find in memory as they are stored, and need not read
     */
    public Decision decide(long reads, long nanos, long withoutZstd, double compressedShare) {
        double savedByZstd = Math.max(0, withoutZstd - withoutZstdBefore) * savedByZstd(compressedShare);
        double saved = wasted + savedByZstd;
        if (saved <= 0) {
            return Decision.WAIT_NOTHING_LOST;
        }
        double readNanos = (nanos - nanosBefore) / (double) Math.max(1, reads - readsBefore);
        double cost = (double) entries * ENTRY_NANOS + 2.0 * bytes / IO_BYTES * readNanos;
        if (saved * readNanos <= LOSS_MIN * cost) {
            return Decision.WAIT_COSTS_MORE_THAN_LOST;
        }
        return savedByZstd > wasted ? Decision.COMPACT_ZSTD_SAVES_READS : Decision.COMPACT_YOUNG_RUNS_COST_READS;
    }

    /** The part of reads that are saved where memory holds as many more blocks as they are smaller. */
    private static double savedByZstd(double compressedShare) {
        double more = compressedShare / ZSTD_SIZE - compressedShare;
        return Math.max(SAVED_MIN, Math.min(1, more / (1 - compressedShare)));
    }

    /** Counts anew: a major compaction began. */
    public void forget(long reads, long nanos, long withoutZstd) {
        wasted = 0;
        withoutZstdBefore = withoutZstd;
        readsBefore = reads;
        nanosBefore = nanos;
    }
}
