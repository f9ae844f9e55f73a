package io.drey.store.schedule;

/**
 * How fast the merges of one store have to be: a pure policy, told the time. As fast as the store needs on average, so
 * that background work is spread evenly, and faster where that would be too late.
 *
 * <ol>
 *   <li>On average merges read as many bytes per sealed byte as they did so far, so the measured inflow of sealed bytes
 *       says what they have to read per second; a little more, so that they do not fall behind by chance, and more the
 *       more young runs there are, because what they read so far was not enough then.
 *   <li>The merge under way should be over well before the owner has to wait because of too many young runs, by the
 *       measured number of seals per second.
 *   <li>Where nothing is sealed, merges that are due end nevertheless.
 * </ol>
 *
 * The owner alone tells it what happens.
 */
public final class MergePace {
    /** The past that counts for what flows in now. */
    private static final double INFLOW_SECONDS = 60;

    /** The past that counts for how often a byte is merged: several sweeps of the last level. */
    private static final double AMPLIFICATION_SECONDS = 900;

    /** What is assumed of how often a byte is merged, and for how many bytes, until enough was seen. */
    private static final double AMPLIFICATION_PRIOR = 4;

    private static final double PRIOR_BYTES = 256 << 20;

    private static final double MARGIN = 1.3;
    private static final double DEADLINE_PART = 0.75;

    /** Young runs up to which that is fast enough, as a part of those at which the owner waits. */
    private static final double CALM_PART = 0.4;

    /** How much faster than on average merges are when there are nearly as many young runs as may be. */
    private static final double BOOST_MAX = 2;

    private static final double BYTES_PER_SECOND_MIN = 1 << 20;
    private static final double IDLE_SECONDS = 30;

    /** Young runs below the crowd at which merges are not paced any more. */
    private static final int RUNS_SPARE_MIN = 2;

    private final int crowdRuns;
    private final Rate sealedBytes;
    private final Rate sealedRuns;
    private double amplifiedFrom = PRIOR_BYTES;
    private double amplifiedTo = PRIOR_BYTES * AMPLIFICATION_PRIOR;
    private long lastForgotten;

    /** @param crowdRuns young runs at which the owner waits for merges */
    public MergePace(long now, int crowdRuns) {
        this.crowdRuns = crowdRuns;
        this.sealedBytes = new Rate(now, INFLOW_SECONDS);
        this.sealedRuns = new Rate(now, INFLOW_SECONDS);
        this.lastForgotten = now;
    }

    /** A run of so many bytes was sealed. */
    public void sealed(long now, long bytes) {
        sealedBytes.add(now, bytes);
        sealedRuns.add(now, 1);
        forget(now);
        amplifiedFrom += bytes;
    }

    /** A merge that read so many bytes has ended. */
    public void merged(long now, long bytes) {
        forget(now);
        amplifiedTo += bytes;
    }

    private void forget(long now) {
        double kept = Math.exp((lastForgotten - now) / 1e9 / AMPLIFICATION_SECONDS);
        amplifiedFrom *= kept;
        amplifiedTo *= kept;
        lastForgotten = now;
    }

    /** Bytes per second that a merge with so many bytes still to read should read; infinite for as fast as it can. */
    public double bytesPerSecond(long now, int youngRuns, long bytesLeft) {
        int spare = crowdRuns - youngRuns;
        if (spare <= RUNS_SPARE_MIN) {
            return Double.POSITIVE_INFINITY;
        }
        double average = MARGIN * boost(youngRuns) * sealedBytes.perSecond(now) * amplifiedTo / amplifiedFrom;
        double inTime = bytesLeft * sealedRuns.perSecond(now) / (spare * DEADLINE_PART);
        double idle = Math.max(BYTES_PER_SECOND_MIN, bytesLeft / IDLE_SECONDS);
        return Math.max(idle, Math.max(average, inTime));
    }

    /** 1 up to some young runs, then growing with them. */
    private double boost(int youngRuns) {
        double calm = CALM_PART * crowdRuns;
        double over = (youngRuns - calm) / (crowdRuns - RUNS_SPARE_MIN - calm);
        return 1 + Math.max(0, over) * (BOOST_MAX - 1);
    }
}
