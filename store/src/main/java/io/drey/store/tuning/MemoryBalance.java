package io.drey.store.tuning;

/**
 * Moves memory between the log, which caches single records, the frames, which hold blocks decompressed, and the
 * compressed blocks, to where a little more of it would save more time. Each notes what it evicted lately, in a window
 * of the same number of bytes; what those that come back would have saved is added up, and then the side that would
 * have saved most gets a step from the one that would have saved least.
 *
 * <p>A compressed block saves a read, of which it is measured what one costs; a frame saves decompressing a block, and
 * the read if it was not there compressed either; a record saves the search in runs, and what of these it took. So
 * compressed blocks grow where the disk is slow, frames where few blocks are hot, records where few records are.
 */
public final class MemoryBalance {
    /** A decision, with its reason. */
    public enum Decision {
        /** Nothing was decided yet. */
        NONE,
        /** Every side has its most or its least, or has not given yet what was taken from it. */
        STAY_NOTHING_MAY_MOVE,
        STAY_GAIN_IS_SMALL,
        MOVE_TO_RECORDS,
        MOVE_TO_BLOCKS,
        MOVE_TO_COMPRESSED_BLOCKS
    }

    /**
     * Counts of the caches of blocks so far.
     *
     * @param missesOfFrames misses of frames that a somewhat larger cache would not have had
     * @param readsOfFrames those of them that were read from disk
     * @param missesOfCompressed the same of compressed blocks
     * @param readNanos how long all reads took
     * @param haveFramesGiven whether frames take no more than they may
     * @param hasCompressedGiven the same of compressed blocks
     */
    public record Measured(
            long missesOfFrames,
            long readsOfFrames,
            long missesOfCompressed,
            long readNanos,
            boolean haveFramesGiven,
            boolean hasCompressedGiven) {}

    public static final int FRAMES_PERCENT_MAX = 50;
    public static final int COMPRESSED_PERCENT_MAX = 70;
    private static final int PERCENT_MIN = 3;
    private static final int FRAMES_PERCENT_FIRST = 15;
    private static final int COMPRESSED_PERCENT_FIRST = 10;
    private static final int STEP_PERCENT = 2;

    /** The sides. */
    private static final int RECORDS = 0;

    private static final int FRAMES = 1;
    private static final int COMPRESSED = 2;
    private static final int NONE = -1;
    private static final int[] PERCENTS_MIN = {0, PERCENT_MIN, PERCENT_MIN};
    private static final int[] PERCENTS_MAX = {100, FRAMES_PERCENT_MAX, COMPRESSED_PERCENT_MAX};

    private static final Decision[] MOVES = {
        Decision.MOVE_TO_RECORDS, Decision.MOVE_TO_BLOCKS, Decision.MOVE_TO_COMPRESSED_BLOCKS
    };

    /** The window, as a part of the store's memory. */
    private static final int WINDOW_FRACTION = 16;

    /** Misses of the log from one decision to the next: one for so many bytes of memory, within limits. */
    private static final int BYTES_PER_MISS = 16 << 10;

    private static final int DECISION_MISSES_MIN = 16;
    private static final int DECISION_MISSES_MAX = 64 << 10;

    /** After so much time of reading it is decided before. */
    private static final long DECISION_READ_NANOS = 1_000_000_000;

    /** A decision is for a gain of at least this part of a search for each miss. */
    private static final int GAIN_FRACTION = 64;

    /** A side must save so much more, in percent, than the other. */
    private static final int ADVANTAGE_PERCENT = 130;

    /** About what finding a record in runs costs, and what decompressing a block does. */
    private static final long SEARCH_NANOS = 1_000;

    private static final long DECOMPRESS_NANOS = 2_000;

    /** What a read costs at least, with its checksum. */
    private static final long READ_NANOS_MIN = 2_000;

    private final DiskSpeed disk;
    private final int recordWeight;
    private final int decisionMisses;

    /** Of the memory; records have what indexes and filters leave of theirs beyond the log's least. */
    private final int[] percents = {0, FRAMES_PERCENT_FIRST, COMPRESSED_PERCENT_FIRST};

    /** What a little more memory would have saved since the last decision. */
    private final long[] gains = new long[3];

    private int misses;
    private long moves;
    private Decision last = Decision.NONE;
    private long framesSeen;
    private long readsOfFramesSeen;
    private long compressedSeen;
    private long readNanosSeen;

    /**
     * The balance of a store of so many bytes.
     *
     * @param recordWeight how many records each one counts for that is noted as evicted
     */
    public MemoryBalance(int recordWeight, long shareBytes, DiskSpeed disk) {
        this.disk = disk;
        this.recordWeight = recordWeight;
        this.decisionMisses =
                (int) Math.max(DECISION_MISSES_MIN, Math.min(DECISION_MISSES_MAX, shareBytes / BYTES_PER_MISS));
    }

    /** Bytes of what each side evicted that it notes, in a store of so many bytes. */
    public static long windowBytes(long shareBytes) {
        return shareBytes / WINDOW_FRACTION;
    }

    public int framesPercent() {
        return percents[FRAMES];
    }

    public int compressedPercent() {
        return percents[COMPRESSED];
    }

    /** How often memory was moved; any thread. */
    public long moves() {
        return moves;
    }

    /** The last decision; any thread. */
    public Decision last() {
        return last;
    }

    /** Says how many percent frames and compressed blocks may have together, so that the log has its least. */
    public void limit(int percentMax) {
        percents[RECORDS] = percentMax - percents[FRAMES] - percents[COMPRESSED];
    }

    /**
     * A value was not in the log and was found in runs. Hot path.
     *
     * @param isBack whether a somewhat larger log would have had it
     * @param decompressed blocks decompressed for it
     * @param reads reads for it
     * @param readNanos how long all reads took so far
     * @return whether it is time to {@link #decide}
     */
    public boolean missed(boolean isBack, long decompressed, long reads, long readNanos) {
        if (isBack) {
            gains[RECORDS] += recordWeight * (SEARCH_NANOS + decompressed * DECOMPRESS_NANOS + reads * costOfRead());
        }
        return ++misses >= decisionMisses || readNanos - readNanosSeen >= DECISION_READ_NANOS;
    }

    private long costOfRead() {
        return Math.max(READ_NANOS_MIN, disk.readNanos());
    }

    /** Decides anew how much memory each side has, by what was missed and measured since the last time. */
    public void decide(Measured measured) {
        gains[FRAMES] = (measured.missesOfFrames() - framesSeen) * DECOMPRESS_NANOS
                + (measured.readsOfFrames() - readsOfFramesSeen) * costOfRead();
        gains[COMPRESSED] = (measured.missesOfCompressed() - compressedSeen) * costOfRead();
        int to = best();
        int from = to == NONE ? NONE : worstBut(to, measured);
        last = Decision.STAY_NOTHING_MAY_MOVE;
        if (from != NONE) {
            last = Decision.STAY_GAIN_IS_SMALL;
            if (isWorth(gains[to], gains[from])) {
                percents[to] += STEP_PERCENT;
                percents[from] -= STEP_PERCENT;
                moves++;
                last = MOVES[to];
            }
        }
        misses = 0;
        gains[RECORDS] = 0;
        framesSeen = measured.missesOfFrames();
        readsOfFramesSeen = measured.readsOfFrames();
        compressedSeen = measured.missesOfCompressed();
        readNanosSeen = measured.readNanos();
    }

    /** The side that would gain most, of those that may grow. */
    private int best() {
        int best = NONE;
        for (int side = 0; side < percents.length; side++) {
            boolean mayGrow = percents[side] + STEP_PERCENT <= PERCENTS_MAX[side];
            if (mayGrow && (best == NONE || gains[side] > gains[best])) {
                best = side;
            }
        }
        return best;
    }

    /** The other side that would lose least, of those that may shrink. */
    private int worstBut(int to, Measured measured) {
        int worst = NONE;
        for (int side = 0; side < percents.length; side++) {
            boolean mayShrink =
                    side != to && percents[side] - STEP_PERCENT >= PERCENTS_MIN[side] && hasGiven(side, measured);
            if (mayShrink && (worst == NONE || gains[side] < gains[worst])) {
                worst = side;
            }
        }
        return worst;
    }

    /** Whether what was taken from a side has been given: what the loss costs shows only then. */
    private static boolean hasGiven(int side, Measured measured) {
        return switch (side) {
            case FRAMES -> measured.haveFramesGiven();
            case COMPRESSED -> measured.hasCompressedGiven();
            default -> true;
        };
    }

    private boolean isWorth(long gain, long loss) {
        return gain > misses * SEARCH_NANOS / GAIN_FRACTION && gain * 100 > loss * ADVANTAGE_PERCENT;
    }
}
