package io.drey.store.compaction;

import io.drey.store.tuning.TreeShape;
import java.util.stream.LongStream;

/**
 * When runs are compacted, and into what.
 *
 * @param youngRunsMax young runs at which reads become too expensive
 * @param tierRunsMin young runs of about a size that are worth compacting
 * @param tierRunsMax most young runs compacted at once
 * @param majorPercent bytes of young runs, in percent of the last level, at which they are compacted into it
 * @param runBytesMax size at which a run of the last level is finished and another one begun; young bytes and those
 *     percent of the level come to as much before a major compaction: so small state is not written anew, and uploaded,
 *     at each checkpoint
 * @param jobBytesMax about how many bytes one job of a major compaction reads at most, where an entry counts for 32 at
 *     least: young runs are compacted between two jobs only, and the more of them there are the slower are reads
 */
public record CompactionLimits(
        int youngRunsMax, int tierRunsMin, int tierRunsMax, int majorPercent, long runBytesMax, long jobBytesMax) {
    /** More fresh runs than so many percent of the young ones at which reads become too expensive are many. */
    private static final int MANY_PERCENT = 150;

    /** Fresh runs with so large a part of the last level's bytes are a backlog. */
    private static final int BACKLOG_FRACTION = 2;

    /** A compaction of fresh runs with more than this part of their bytes is large. */
    private static final int LARGE_FRACTION = 4;

    /**
     * A major compaction has at least so many jobs, if there is a run's work for each: what a job writes lies beside
     * what it reads until it ends.
     */
    private static final int MAJOR_JOBS_MIN = 4;

    /** The limits that ship, with the sizes that a store may choose. */
    public static CompactionLimits of(int youngRunsMax, long runBytesMax) {
        return new CompactionLimits(youngRunsMax, 4, 6, 25, runBytesMax, 2 * runBytesMax);
    }

    /** The same in another shape of the tree. */
    public CompactionLimits shaped(TreeShape shape) {
        return new CompactionLimits(
                youngRunsMax, tierRunsMin, tierRunsMax, shape.majorPercent(), runBytesMax, jobBytesMax);
    }

    /**
     * Whether it is pointless to compact fresh runs with each other, given that a major compaction of them is due: what
     * was written at full speed lies in few, large runs, beside a last level that is not much larger, and the major
     * compaction writes it again. Runs that are small or many are compacted nevertheless: an owner may wait for a major
     * compaction of many, and of runs with the same keys little is left.
     */
    boolean isPointless(TierPicker.Window window, long[] freshBytes, long oldBytes) {
        long fresh = LongStream.of(freshBytes).sum();
        long compacted = LongStream.of(freshBytes)
                .skip(window.from())
                .limit(window.count())
                .sum();
        return !isMany(freshBytes.length) && fresh >= oldBytes / BACKLOG_FRACTION && compacted > fresh / LARGE_FRACTION;
    }

    /** Whether so many fresh runs are a reason to hurry. */
    boolean isMany(int freshRuns) {
        return freshRuns > youngRunsMax * MANY_PERCENT / 100;
    }

    /**
     * Whether so many bytes of young runs are worth being compacted into a last level of so many: because of their
     * size, or because of what goes with them. Small state waits.
     *
     * @param valueBytes bytes of separated values in use
     * @param freedBytes those of them that a major compaction is expected to free
     */
    boolean isMajorDue(long youngBytes, long oldBytes, long valueBytes, long freedBytes) {
        if (youngBytes == 0 || youngBytes < spareBytes(oldBytes, valueBytes)) {
            return false;
        }
        long live = oldBytes + valueBytes - freedBytes;
        return youngBytes >= percent(oldBytes) || youngBytes + freedBytes >= percent(live);
    }

    /** Bytes of young runs from which on a major compaction is due because of their size. */
    public long dueBytes(long oldBytes, long valueBytes) {
        return Math.max(percent(oldBytes), spareBytes(oldBytes, valueBytes));
    }

    /** Bytes of young runs that are not worth a major compaction of small state. */
    private long spareBytes(long oldBytes, long valueBytes) {
        return runBytesMax - valueBytes - percent(oldBytes);
    }

    private long percent(long bytes) {
        return bytes / 100 * majorPercent;
    }

    /** About how many bytes a job reads, at most, of a major compaction that reads so many. */
    long jobBytes(long majorBytes) {
        return Math.min(jobBytesMax, Math.max(runBytesMax, majorBytes / MAJOR_JOBS_MIN));
    }
}
