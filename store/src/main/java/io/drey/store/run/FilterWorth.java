package io.drey.store.run;

import io.drey.store.tuning.RunShape;
import java.util.Arrays;

/**
 * Decides whether the filter of a run is worth reading, for each of its tables. A page of a filter that is not in
 * memory costs a read to save at most the one of a block: it only pays if it stays in memory and if keys that are
 * sought here are often absent. So once filters do not all fit, those of runs that mostly hold what is sought, as the
 * last level does, are left on disk. Where keys were never absent lately they are left there also if there is room,
 * which blocks then have.
 *
 * <p>Keeps the share of absent keys as a moving mean over some tens of searches. One thread; hot path.
 */
final class FilterWorth {
    private static final int ONE = 1 << 16;
    private static final int SHIFT = 5;

    /** Of a table in which no key was sought yet: all are expected to be absent. */
    private static final int NEVER_SOUGHT = ONE + 1;

    /** Below this share of absent keys a filter is not worth reading. */
    private static final int SHARE_MIN = (int) (ONE * RunShape.ABSENT_MIN);

    /** Below this share a filter is of no use. */
    private static final int SHARE_OF_USE_MIN = ONE / 64;

    private final int[] absentShares;

    FilterWorth(int tables) {
        absentShares = new int[tables];
        Arrays.fill(absentShares, NEVER_SOUGHT);
    }

    /** Expects keys of a table to be absent no more often than they were in another run. */
    void expectAtMost(int ordinal, FilterWorth other, int otherOrdinal) {
        absentShares[ordinal] = Math.min(absentShares[ordinal], other.absentShares[otherOrdinal]);
    }

    /** A key of a table was sought in the run. */
    void sought(int ordinal, boolean found) {
        int share = absentShares[ordinal];
        absentShares[ordinal] = share + (found ? -(share >> SHIFT) : (ONE - share) >> SHIFT);
    }

    boolean isSought(int ordinal) {
        return absentShares[ordinal] != NEVER_SOUGHT;
    }

    /** The part of keys of a table that were absent lately, 0 to 1. */
    double absentShare(int ordinal) {
        return Math.min(1, absentShares[ordinal] / (double) ONE);
    }

    boolean isWorthReading(int ordinal) {
        return absentShares[ordinal] >= SHARE_MIN;
    }

    boolean isOfUse(int ordinal) {
        return absentShares[ordinal] >= SHARE_OF_USE_MIN;
    }
}
