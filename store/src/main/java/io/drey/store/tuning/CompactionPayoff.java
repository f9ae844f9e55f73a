package io.drey.store.tuning;

/**
 * Counts the time that lookups lost by reads that a major compaction would save, and says whether it would have cost
 * less. It saves those in young runs that did not have what was sought: on a disk with few I/Os a filter that is not in
 * memory costs as much as the block that it saves, so that each young run costs a read; if little is written, the sizes
 * of runs would never make a major compaction due. And some of those of blocks that were compressed when reads were
 * cheap: compressed with Zstandard, in fewer and larger blocks, more of them fit in memory beside their index. One thread.
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

    /** Blocks that are compressed with Zstandard take so much of what they take else. */
    private static final double ZSTD_SIZE = 0.75;

    /**
     * The input of a major compaction now.
     *
     * @param entries of all runs
     * @param bytes of their files
     * @param blockBytes of their blocks, as they are stored
     * @param blocks how many those are
     * @param rawBytes of them before compression
     */
    public record Input(long entries, long bytes, long blockBytes, long blocks, long rawBytes) {
        static final Input NONE = new Input(0, 0, 0, 0, 0);
    }

    private Input input = Input.NONE;
    private long wasted;
    private long readsBefore;
    private long nanosBefore;
    private long withoutZstdBefore;

    /** Reads of one lookup in young runs that did not have what was sought. */
    public void wasted(long reads) {
        wasted += reads;
    }

    /** A version is in force. */
    public void installed(Input newInput) {
        input = newInput;
    }

    /** Of so many pages of indexes, those that the blocks of a major compaction need. */
    public int indexPagesAfter(int pages) {
        double blocksAfter = (double) input.rawBytes() / RunShape.CACHED_BLOCK_BYTES;
        return (int) (pages * Math.min(1, blocksAfter / Math.max(1, input.blocks())));
    }

    /**
     * Whether a major compaction of all runs costs no more than what was lost since the last one: so both together cost
     * at most twice what they would if one knew what comes. Hot path.
     *
     * @param reads all reads of lookups so far
     * @param nanos how long they took
     * @param withoutZstd those of blocks that a major compaction would compress with Zstandard; 0 if it would not
     * @param room bytes of blocks, as they are stored, that fit in memory
     * @param roomAfter the same after the major compaction
     */
    public Decision decide(long reads, long nanos, long withoutZstd, long room, long roomAfter) {
        double savedByZstd = Math.max(0, withoutZstd - withoutZstdBefore) * savedByZstd(room, roomAfter);
        double saved = wasted + savedByZstd;
        if (saved <= 0) {
            return Decision.WAIT_NOTHING_LOST;
        }
        double readNanos = (nanos - nanosBefore) / (double) Math.max(1, reads - readsBefore);
        double cost = (double) input.entries() * ENTRY_NANOS + 2.0 * input.bytes() / IO_BYTES * readNanos;
        if (saved * readNanos <= cost) {
            return Decision.WAIT_COSTS_MORE_THAN_LOST;
        }
        return savedByZstd > wasted ? Decision.COMPACT_ZSTD_SAVES_READS : Decision.COMPACT_YOUNG_RUNS_COST_READS;
    }

    /** The part of reads that are saved where memory is full, and holds more blocks because they are smaller. */
    private double savedByZstd(long room, long roomAfter) {
        double held = room / Math.max(1.0, input.blockBytes());
        double after = Math.min(1, roomAfter / Math.max(1, input.blockBytes() * ZSTD_SIZE));
        return held >= 1 ? 0 : Math.max(0, (after - held) / (1 - held));
    }

    /** Counts anew: a major compaction began. */
    public void forget(long reads, long nanos, long withoutZstd) {
        wasted = 0;
        withoutZstdBefore = withoutZstd;
        readsBefore = reads;
        nanosBefore = nanos;
    }
}
