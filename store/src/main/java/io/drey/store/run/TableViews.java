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

    /** Those of the views that have entries of the table. */
    public TableViews(List<RunView> views, int table) {
        List<RunView> parts = views.stream()
                .filter(view -> view.run().hasTable(table))
                .map(view -> view.clipTable(table))
                .filter(part -> !part.isEmpty())
                .toList();
        fields = new long[FIELDS * parts.size()];
        firstPages = new int[parts.size()];
        pages = new FilterPages[parts.size()];
        for (int i = 0; i < pages.length; i++) {
            set(i, parts.get(i), table);
        }
    }

    private void set(int i, RunView part, int table) {
        RunIndex index = part.run().index();
        int ordinal = part.run().ordinal(table);
        long first = index.firstPrefix(ordinal);
        long lastBlock = index.lastBlockPrefix(ordinal);
        pages[i] = part.run().filterPages();
        firstPages[i] = pages[i].firstNotBelow(first, 0);
        int pagesAfter = pages[i].firstNotBelow(lastBlock, firstPages[i]) - firstPages[i];
        int at = FIELDS * i;
        fields[at] = part.firstPrefix();
        fields[at + 1] = part.lastPrefix();
        fields[at + 2] = first;
        fields[at + 3] = RunIndex.density(pagesAfter, lastBlock - first);
    }

    /**
     * Adds to a probe what tells of a key's entries; false if some filter must be asked alone. Reads nothing.
     *
     * @param key of the table
     */
    public boolean probe(EntryKey key, ReadSession session, FilterProbe probe) {
        long prefix = key.prefix();
        boolean isAllAsked = true;
        for (int i = 0; i < pages.length; i++) {
            int at = FIELDS * i;
            // All of one table, so that they have the same sign.
            if (prefix >= fields[at] && prefix <= fields[at + 1]) {
                long guess = firstPages[i] + RunIndex.along(prefix - fields[at + 2], fields[at + 3]);
                isAllAsked &= session.probe(pages[i], pages[i].of(prefix, guess), probe);
            }
        }
        return isAllAsked;
    }
}
