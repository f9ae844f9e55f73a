package io.drey.store.tuning;

import io.drey.store.schedule.Rate;

/**
 * Decides how fast the compactions of one store are: a pure policy, told the time. They are as fast as the store needs
 * on average, so that background work is spread evenly, and faster where that would be too late.
 *
 * <ol>
 *   <li>On average compactions read as many bytes per flushed byte as they did so far, so the measured inflow of
 *       flushed bytes says what they have to read per second; a little more, so that they do not fall behind by chance,
 *       and more the more young runs there are, because what they read so far was not enough then. Those of a major
 *       compaction in progress count half: they become no more, so that they are no reason to hurry, but each lookup
 *       asks them until then. Where young runs have more bytes than half of what lives, they count more, up to whole:
 *       space is a reason.
 *   <li>A major compaction that takes long leaves as many young runs to the next one, so that they stay many, however
 *       seldom they are compacted. Where they have more than a third of the last level's bytes, and more than makes
 *       a major compaction due, compactions read what they would if the next major compaction began with no more than
 *       that.
 *   <li>The compaction under way should be over well before the owner has to wait because of too many young runs, by
 *       the measured number of flushes per second.
 *   <li>Where young runs have more bytes than half of what lives, much of them is garbage: the more, the faster
 *       compactions are, but only where other work leaves room. So small a state is flushed nearly whole each time:
 *       compactions at that pace beside flushes would be bursts.
 *   <li>What a major compaction frees grows while it lasts: it should be over before new values come to a part of what
 *       lives.
 *   <li>Where nothing is flushed, compactions that are due end nevertheless.
 * </ol>
 *
 * The owner alone tells it what happens.
 */
public final class CompactionPace {
    /** The past that counts for what flows in now. */
    private static final double INFLOW_SECONDS = 60;

    /** The same of separated values. */
    private static final double VALUES_SECONDS = 15;

    /** The past that counts for how often a byte is compacted: several major compactions of the last level. */
    private static final double AMPLIFICATION_SECONDS = 900;

    /** What is assumed of how often a byte is compacted, and for how many bytes, until enough was seen. */
    private static final double AMPLIFICATION_PRIOR = 4;

    private static final double PRIOR_BYTES = 256 << 20;

    private static final double MARGIN = 1.3;
    private static final double DEADLINE_PART = 0.75;

    /** Young runs up to which that is fast enough, as a part of those at which the owner waits. */
    private static final double CALM_PART = 0.4;

    /** What a run of the major compaction in progress counts among young ones where space is plenty. */
    private static final double COMPACTED_COUNTS = 0.5;

    /** How much faster than on average compactions are when there are nearly as many young runs as may be. */
    private static final double BOOST_MAX = 3;

    private static final double BYTES_PER_SECOND_MIN = 4 << 20;
    private static final double IDLE_SECONDS = 30;

    /** Young runs that the next major compaction finds, as a part of the last level, if that is not due before. */
    private static final double COMPACTED_PART = 0.33;

    /** Young runs, as a part of what lives, from which on compactions go faster in proportion. */
    private static final double YOUNG_PART = 0.5;

    /** New values until a major compaction is over, as a part of what lives. */
    private static final double SPACE_PART = 0.05;

    /** Young runs below the crowd at which compactions are not paced any more. */
    private static final int RUNS_SPARE_MIN = 2;

    private final int crowdRuns;
    private final Rate flushedBytes;
    private final Rate flushedRuns;
    private final Rate flushedValues;
    private double amplifiedFrom = PRIOR_BYTES;
    private double amplifiedTo = PRIOR_BYTES * AMPLIFICATION_PRIOR;
    private long lastForgotten;

    /** @param crowdRuns young runs at which the owner waits for compactions */
    public CompactionPace(long now, int crowdRuns) {
        this.crowdRuns = crowdRuns;
        this.flushedBytes = new Rate(now, INFLOW_SECONDS);
        this.flushedRuns = new Rate(now, INFLOW_SECONDS);
        this.flushedValues = new Rate(now, VALUES_SECONDS);
        this.lastForgotten = now;
    }

    /**
     * The work that is left, and the sizes that it depends on.
     *
     * @param bytes of the compaction under way
     * @param bytesAfter of the rest of the major compaction that it is part of
     * @param youngBytes of young runs
     * @param dueBytes of young runs at which a major compaction is due
     * @param levelBytes of the last level
     * @param liveBytes of the state, values included
     */
    public record Work(long bytes, long bytesAfter, long youngBytes, long dueBytes, long levelBytes, long liveBytes) {}

    /**
     * The speed of a compaction in bytes read per second; infinite for as fast as it can.
     *
     * @param bytes where other work leaves room
     * @param steadyBytes that suffice on average, also beside other work
     * @param reason what says so
     */
    public record Speed(double bytes, double steadyBytes, Reason reason) {
        public static final Speed UNLIMITED =
                new Speed(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Reason.CROWDED);
    }

    /** The reason for the speed of a compaction. */
    public enum Reason {
        /** The owner waits, or is about to, because of too many young runs. */
        CROWDED,
        /** As fast as the store needs on average. */
        AVERAGE,
        /** It should be over before there are too many young runs. */
        IN_TIME,
        /** It should be over before new values take much of the disk. */
        NEW_VALUES,
        /** Much of what young runs have is garbage. */
        GARBAGE,
        /** Nothing is flushed, and it ends nevertheless. */
        IDLE
    }

    /** A run of so many bytes was flushed, and so many of values. */
    public void flushed(long now, long bytes, long valueBytes) {
        flushedBytes.add(now, bytes);
        flushedValues.add(now, valueBytes);
        flushedRuns.add(now, 1);
        forget(now);
        amplifiedFrom += bytes;
    }

    /** A compaction that read so many bytes has ended. */
    public void compacted(long now, long bytes) {
        forget(now);
        amplifiedTo += bytes;
    }

    private void forget(long now) {
        double kept = Math.exp((lastForgotten - now) / 1e9 / AMPLIFICATION_SECONDS);
        amplifiedFrom *= kept;
        amplifiedTo *= kept;
        lastForgotten = now;
    }

    /**
     * How fast the compaction under way should be.
     *
     * @param freshRuns young runs that are in no major compaction
     * @param majorRuns young runs that are in the major compaction in progress
     */
    public Speed speed(long now, int freshRuns, int majorRuns, Work left) {
        double space = Math.max(1, left.youngBytes() / (YOUNG_PART * Math.max(1, left.liveBytes())));
        double youngRuns = freshRuns + Math.min(1, COMPACTED_COUNTS * space) * majorRuns;
        double spare = crowdRuns - youngRuns;
        if (spare <= RUNS_SPARE_MIN) {
            return Speed.UNLIMITED;
        }
        double read = Math.max(amplifiedTo / Math.max(1, amplifiedFrom), readInTime(now, left));
        double average = MARGIN * boost(youngRuns) * flushedBytes.perSecond(now) * read;
        double inTime = left.bytes() * flushedRuns.perSecond(now) / (spare * DEADLINE_PART);
        double inSpace = (left.bytes() + left.bytesAfter())
                * flushedValues.perSecond(now)
                / Math.max(1, SPACE_PART * left.liveBytes());
        double idle = Math.max(BYTES_PER_SECOND_MIN, left.bytes() / IDLE_SECONDS);
        double steady = Math.max(Math.max(idle, inSpace), Math.max(average, inTime));
        Reason reason = steady == idle
                ? Reason.IDLE
                : steady == inSpace ? Reason.NEW_VALUES : steady == inTime ? Reason.IN_TIME : Reason.AVERAGE;
        boolean isGarbage = space * average > steady;
        return new Speed(Math.max(steady, space * average), steady, isGarbage ? Reason.GARBAGE : reason);
    }

    /**
     * Bytes that major compactions read for each flushed one if they begin in time: when one is due, which is seen when
     * a run was flushed. 0 if young runs are not more than that, so that what compactions read so far suffices.
     */
    private double readInTime(long now, Work left) {
        double runs = flushedRuns.perSecond(now);
        double due = left.dueBytes() + (runs > 0 ? flushedBytes.perSecond(now) / runs : 0);
        double begun = Math.max(1, Math.max(due, COMPACTED_PART * left.levelBytes()));
        return left.youngBytes() > begun ? 1 + left.levelBytes() / begun : 0;
    }

    /** 1 up to some young runs, then growing with them. */
    private double boost(double youngRuns) {
        double calm = CALM_PART * crowdRuns;
        double over = (youngRuns - calm) / (crowdRuns - RUNS_SPARE_MIN - calm);
        return 1 + Math.max(0, over) * (BOOST_MAX - 1);
    }
}
