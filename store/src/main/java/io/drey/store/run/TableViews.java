package io.drey.store.run;

import io.drey.store.entry.EntryKey;
import io.drey.store.filter.FilterProbe;
import java.util.List;

/**
 * Those of some views that have entries of one table, as a search goes through them for what is mostly in none: the
 * bounds and where the filter's pages are lie side by side, so that it looks at few places in memory that are not in a
 * cache of the processor. Immutable. Hot path.
 */
public final class TableViews {
    /** Of each view: its first and last prefix, where its pages begin, and pages for a step of the prefix in 2^-64. */
    private static final int FIELDS = 4;

    private final long[] fields;
    private final int[] firstPages;
    private final FilterPages[] pages;
    private final RunView[] views;

    /** Those of the views that have entries of the table. */
    public TableViews(List<RunView> all, int table) {
        List<RunView> parts = all.stream()
                .filter(view -> view.run().hasTable(table))
                .map(view -> view.clipTable(table))
                .filter(part -> !part.isEmpty())
                .toList();
        views = parts.toArray(new RunView[0]);
        fields = new long[FIELDS * parts.size()];
        firstPages = new int[parts.size()];
        pages = new FilterPages[parts.size()];
        for (int i = 0; i < pages.length; i++) {
            set(i, parts.get(i), table);
        }
    }

    private void set(int i, RunView part, int table) {
        FilterPages all = part.run().filterPages();
        pages[i] = all;
        firstPages[i] = all.firstNotBelow(EntryKey.prefix(table, 0, 0), 0);
        int end = all.firstNotBelow(EntryKey.prefix(table + 1, 0, 0), firstPages[i]);
        int at = FIELDS * i;
        fields[at] = part.firstPrefix();
        fields[at + 1] = part.lastPrefix();
        if (end > firstPages[i]) {
            fields[at + 2] = all.prefix(firstPages[i]);
            fields[at + 3] = PrefixTop.density(end - 1 - firstPages[i], all.prefix(end - 1) - fields[at + 2]);
        }
    }

    public int size() {
        return views.length;
    }

    public RunView view(int i) {
        return views[i];
    }

    /**
     * Adds a place for each view to a probe with what tells of a key. Reads nothing.
     *
     * @param key of the table
     */
    public void probe(EntryKey key, ReadSession session, FilterProbe probe) {
        long prefix = key.prefix();
        for (int i = 0; i < pages.length; i++) {
            int at = FIELDS * i;
            // All of one table, so that they have the same sign.
            if (prefix >= fields[at] && prefix <= fields[at + 1]) {
                long guess = firstPages[i] + PrefixTop.along(prefix - fields[at + 2], fields[at + 3]);
                session.pages().probe(pages[i], pages[i].of(prefix, guess), probe);
            } else {
                probe.addOutside();
            }
        }
    }
}
