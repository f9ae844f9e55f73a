package io.drey.store.entry;

import java.util.Arrays;

/** The expiries of a store's tables. The owner sets them, any thread asks. */
public final class Expiries {
    private volatile Expiry[] byTable = new Expiry[0];

    /** From now on the entries of a table expire so, or, with null, not at all. */
    public synchronized void set(int table, Expiry expiry) {
        Expiry[] next = Arrays.copyOf(byTable, Math.max(byTable.length, table + 1));
        next[table] = expiry;
        byTable = next;
    }

    /** The expiry of a table, or null. */
    public Expiry of(int table) {
        Expiry[] now = byTable;
        return table < now.length ? now[table] : null;
    }

    /** {@link Expiry#expiredUntil} of a table; {@link Expiry#NOTHING} if its entries do not expire. */
    public long expiredUntil(int table) {
        Expiry expiry = of(table);
        return expiry == null ? Expiry.NOTHING : expiry.expiredUntil();
    }
}
