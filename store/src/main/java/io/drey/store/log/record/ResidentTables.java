package io.drey.store.log.record;

import java.util.Arrays;

/**
 * The tables that are in memory whole: every entry that can be seen is in the log, because none was evicted, written
 * past it or restored since the table came to be. What is not found in the log is nowhere then, and no run has to be
 * asked. A table that is not whole never becomes so again. One thread.
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
}
