package io.drey.store.log.record;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The tables that are in memory whole: every entry that can be seen is in the log, because none was evicted, written
 * past it or restored. What is not found in the log is nowhere then, and no run has to be asked. A table that is not
 * whole becomes so again once no run holds anything of it, or all that runs hold was read. One thread.
 */
public final class ResidentTables {
    private boolean[] isPart = new boolean[8];

    public boolean isWhole(int table) {
        return table >= isPart.length || !isPart[table];
    }

    /** Entries of a table that can be seen are, or will be, in runs only. */
    public void partOf(int table) {
        if (table >= isPart.length) {
            isPart = Arrays.copyOf(isPart, Math.max(table + 1, 2 * isPart.length));
        }
        isPart[table] = true;
    }

    /** All entries of a table that can be seen are in the log, or will be before the next question. */
    public void whole(int table) {
        if (table < isPart.length) {
            isPart[table] = false;
        }
    }

    /** Tables of which no installed run holds anything are whole: all that counts of them is in the log. */
    public void wholeUnless(IntPredicate isInRuns) {
        for (int table = 0; table < isPart.length; table++) {
            isPart[table] = isPart[table] && isInRuns.test(table);
        }
    }
}
