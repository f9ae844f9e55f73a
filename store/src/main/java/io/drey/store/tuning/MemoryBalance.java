package io.drey.store.tuning;

import io.drey.foundation.Arena;
import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.cache.GhostList;
import io.drey.store.log.HybridLog;
import io.drey.store.run.ReadSession;
import io.drey.store.stats.StoreStats;

/**
 * Moves memory between the log, which caches single records, the frames, which hold blocks decompressed, and the compressed blocks,
 * to where a little more of it would save more time. Each notes what it evicted lately ({@link GhostList}), in a window of the
 * same number of bytes; what those that come back would have saved is added up, and then the side that would have saved most
 * gets a step from the one that would have saved least.
 *
 * <p>A compressed block saves a read, of which it is measured what one costs; a frame saves decompressing a block, and the read if it
 * was not there compressed either; a record saves the search in runs, and what of these it took. So compressed blocks grow where
 * the disk is slow, frames where few blocks are hot, records where few records are.
 */
public final class MemoryBalance {
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

    /** The window, as a part of the store's memory. */
    private static final int WINDOW_FRACTION = 16;

    /** About what a record takes in the log, and a compressed block as a part of a block; only to choose how many are noted. */
    private static final int RECORD_BYTES = 96;

    private static final int COMPRESSED_FRACTION = 4;

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

    private final FrameCache frames;
    private final CompressedBlockCache compressed;
    private final ReadSession session;
    private final int recordWeight;
    private final int decisionMisses;

    /** Of the memory; records have what indexes and filters leave of theirs beyond the log's least. */
    private final int[] percents = {0, FRAMES_PERCENT_FIRST, COMPRESSED_PERCENT_FIRST};

    /** What a little more memory would have saved since the last decision. */
    private final long[] gains = new long[3];

    private int misses;
    private long moves;
    private long framesSeen;
    private long readsOfFramesSeen;
    private long compressedSeen;
    private long readNanosSeen;

    /** The balance of a store of so many bytes, whose session reads through the caches. They are watched from now on. */
    public MemoryBalance(
            FrameCache frames,
            CompressedBlockCache compressed,
            ReadSession session,
            GhostList records,
            long shareBytes) {
        this.frames = frames;
        this.compressed = compressed;
        this.session = session;
        this.recordWeight = records.weight();
        this.decisionMisses =
                (int) Math.max(DECISION_MISSES_MIN, Math.min(DECISION_MISSES_MAX, shareBytes / BYTES_PER_MISS));
        long windowBytes = shareBytes / WINDOW_FRACTION;
        long windowFrames = windowBytes / frames.frameBytes();
        frames.watch(new GhostList((int) windowFrames, windowFrames));
        compressed.watch(windowBytes, frames.frameBytes() / COMPRESSED_FRACTION);
    }

    /** Ghosts of records for a store of so many bytes. */
    public static GhostList recordGhosts(Arena arena, long shareBytes) {
        long windowBytes = shareBytes / WINDOW_FRACTION;
        return new GhostList((int) (windowBytes / arena.pageBytes()), windowBytes / RECORD_BYTES);
    }

    public int framesPercent() {
        return percents[FRAMES];
    }

    public int compressedPercent() {
        return percents[COMPRESSED];
    }

    /** How memory is divided; any thread. */
    public StoreStats.Balance stats() {
        return new StoreStats.Balance(percents[FRAMES], percents[COMPRESSED], moves);
    }

    /** Says how many percent frames and compressed blocks may have together, so that the log has its least. */
    public void limit(int percentMax) {
        percents[RECORDS] = percentMax - percents[FRAMES] - percents[COMPRESSED];
    }

    /**
     * A value was not in the log and was found in runs.
     *
     * @param isBack whether a somewhat larger log would have had it, see {@link HybridLog#wouldBeHere}
     * @param decompressed blocks decompressed for it
     * @param reads reads for it
     * @return whether it was decided anew how much memory each side has
     */
    public boolean missed(boolean isBack, long decompressed, long reads) {
        if (isBack) {
            gains[RECORDS] += recordWeight * (SEARCH_NANOS + decompressed * DECOMPRESS_NANOS + reads * costOfRead());
        }
        if (++misses < decisionMisses && session.readNanos() - readNanosSeen < DECISION_READ_NANOS) {
            return false;
        }
        decide();
        return true;
    }

    private long costOfRead() {
        return Math.max(READ_NANOS_MIN, session.blockReadNanos());
    }

    private void decide() {
        gains[FRAMES] = (frames.missesOfSize() - framesSeen) * DECOMPRESS_NANOS
                + (session.readsOfFrames() - readsOfFramesSeen) * costOfRead();
        gains[COMPRESSED] = (compressed.missesOfSize() - compressedSeen) * costOfRead();
        int to = best();
        int from = to == NONE ? NONE : worstBut(to);
        if (from != NONE && isWorth(gains[to], gains[from])) {
            percents[to] += STEP_PERCENT;
            percents[from] -= STEP_PERCENT;
            moves++;
        }
        misses = 0;
        gains[RECORDS] = 0;
        framesSeen = frames.missesOfSize();
        readsOfFramesSeen = session.readsOfFrames();
        compressedSeen = compressed.missesOfSize();
        readNanosSeen = session.readNanos();
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
    private int worstBut(int to) {
        int worst = NONE;
        for (int side = 0; side < percents.length; side++) {
            boolean mayShrink = side != to && percents[side] - STEP_PERCENT >= PERCENTS_MIN[side] && hasGiven(side);
            if (mayShrink && (worst == NONE || gains[side] < gains[worst])) {
                worst = side;
            }
        }
        return worst;
    }

    /** Whether what was taken from a side has been given: what the loss costs shows only then. */
    private boolean hasGiven(int side) {
        return switch (side) {
            case FRAMES -> frames.isWithinLimit();
            case COMPRESSED -> compressed.isWithinLimit();
            default -> true;
        };
    }

    private boolean isWorth(long gain, long loss) {
        return gain > misses * SEARCH_NANOS / GAIN_FRACTION && gain * 100 > loss * ADVANTAGE_PERCENT;
    }
}
