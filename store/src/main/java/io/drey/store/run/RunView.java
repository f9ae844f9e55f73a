package io.drey.store.run;

import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.filter.FilterProbe;
import java.util.List;

/**
 * A run as a version sees it: entries outside the key groups and the prefix range do not exist. Immutable; counts no
 * reference of the run.
 *
 * @param keyGroupTo inclusive
 * @param prefixFrom first prefix, unsigned
 * @param prefixTo first prefix after the view, unsigned, or {@link #NO_END}
 */
public record RunView(Run run, int keyGroupFrom, int keyGroupTo, long prefixFrom, long prefixTo) {
    /** As the end of a range of prefixes: no end. */
    public static final long NO_END = 0;

    public static RunView of(Run run) {
        return new RunView(run, 0, EntryKey.TABLES_MAX - 1, 0, NO_END);
    }

    /** Whether the entry can be in the view as far as its bounds tell; reads nothing. */
    public boolean mayHold(EntryKey key) {
        return covers(key) && run.hasTable(key.table());
    }

    private boolean covers(EntryKey key) {
        long prefix = key.prefix();
        return key.keyGroup() >= keyGroupFrom
                && key.keyGroup() <= keyGroupTo
                && isIn(prefix)
                && Long.compareUnsigned(prefix, run.firstPrefix()) >= 0
                && Long.compareUnsigned(prefix, run.lastPrefix()) <= 0;
    }

    /** Whether the entry can be in the view as far as bounds and filter tell; reads at most a page of the filter. */
    public boolean mayHold(EntryKey key, ReadSession session) {
        return mayHold(key) && session.mayHold(run, key);
    }

    /**
     * Bytes of the block in which an entry may be, 0 if it certainly is in none. What is large has a block of its own.
     */
    public long blockBytes(EntryKey key, ReadSession session) {
        return mayHold(key, session) ? session.blockBytes(run, key) : 0;
    }

    /**
     * Whether any entry of the key's row can be in the view, its tombstone included; reads at most a page of the
     * filter.
     */
    public boolean mayHoldRow(EntryKey key, ReadSession session) {
        return mayHold(key) && session.mayHoldRow(run, key);
    }

    /**
     * Adds a place to a probe with what tells of a key. Reads nothing. Where keys are mostly there the filter is not
     * asked: finding its page costs more than it saves.
     */
    public void probe(EntryKey key, ReadSession session, FilterProbe probe) {
        int ordinal = covers(key) ? run.ordinal(key.table()) : -1;
        if (ordinal < 0) {
            probe.addOutside();
        } else if (run.isFilterOfUse(ordinal)) {
            session.pages().probe(run.filterPages(), run.filterPages().of(key.prefix()), probe);
        } else {
            probe.addUnknown();
        }
    }

    private boolean isIn(long prefix) {
        return Long.compareUnsigned(prefix, prefixFrom) >= 0
                && (prefixTo == NO_END || Long.compareUnsigned(prefix, prefixTo) < 0);
    }

    /**
     * Looks up an entry: 0 if the view does not hold it, else its kind, with the value in the session. A map entry that
     * is absent while its row has a tombstone here is found as ROW_TOMBSTONE.
     */
    public byte find(EntryKey key, ReadSession session) {
        if (!covers(key)) {
            return 0;
        }
        int ordinal = run.ordinal(key.table());
        return ordinal < 0 ? 0 : session.find(run, ordinal, key);
    }

    /**
     * All entries of the row that the key addresses, the row's own first; null if there are certainly none. The key
     * must address the row or an entry in it.
     */
    public RunCursor row(EntryKey key, ReadSession session) {
        return mayHold(key) && session.mayHoldRow(run, key) ? session.cursor().openRow(this, key, false) : null;
    }

    /**
     * The entries of a row after the map entry that the key addresses, but a tombstone of the row first; null if there
     * are certainly none.
     */
    public RunCursor rowAfter(EntryKey key, ReadSession session) {
        return mayHold(key) && session.mayHoldRow(run, key) ? session.cursor().openRow(this, key, true) : null;
    }

    /** All entries of a table in some key groups, the last one too; null if there are certainly none. */
    public EntryCursor keyGroups(int table, int first, int last, ReadSession session) {
        return last >= keyGroupFrom && first <= keyGroupTo
                ? range(EntryKey.prefix(table, first, 0), EntryKey.prefix(table, last, 0) + (1L << 32), session)
                : null;
    }

    /** All entries with prefixes in {@code [from, to)}; null if there are certainly none. */
    public EntryCursor range(long from, long to, ReadSession session) {
        RunView clipped = clipPrefixes(from, to);
        return clipped.isEmpty() ? null : session.cursor().openRange(clipped);
    }

    /** The same view, at most with these key groups. */
    public RunView clipKeyGroups(int from, int to) {
        return from <= keyGroupFrom && to >= keyGroupTo
                ? this
                : new RunView(run, Math.max(from, keyGroupFrom), Math.min(to, keyGroupTo), prefixFrom, prefixTo);
    }

    /** The same view, at most with these prefixes. */
    public RunView clipPrefixes(long from, long to) {
        long newFrom = Long.compareUnsigned(from, prefixFrom) > 0 ? from : prefixFrom;
        // One less than an end orders ends with "no end" as the last.
        long newTo = Long.compareUnsigned(to - 1, prefixTo - 1) < 0 ? to : prefixTo;
        return newFrom == prefixFrom && newTo == prefixTo
                ? this
                : new RunView(run, keyGroupFrom, keyGroupTo, newFrom, newTo);
    }

    /** Whether the bounds certainly leave nothing of the run; reads nothing. */
    public boolean isEmpty() {
        return bytes() == 0;
    }

    /** About how many bytes of the file hold what is in the view; 0 only if it is certainly empty. Reads nothing. */
    public long bytes() {
        if (run.info().isEmpty() || holdsNoKeyGroup()) {
            return 0;
        }
        if (holdsAllKeyGroups()) {
            return bytesInRange();
        }
        long bytes = 0;
        for (TableCount table : run.info().tables()) {
            bytes += clipTable(table.table()).bytesInRange();
        }
        return bytes;
    }

    private long bytesInRange() {
        boolean isNothing = prefixTo != NO_END && Long.compareUnsigned(prefixFrom, prefixTo) >= 0;
        boolean isBehind = Long.compareUnsigned(prefixFrom, run.info().lastPrefix()) > 0;
        boolean isBefore =
                prefixTo != NO_END && Long.compareUnsigned(prefixTo, run.info().firstPrefix()) <= 0;
        if (isNothing || isBehind || isBefore || hasNoTable()) {
            return 0;
        }
        RunIndex index = run.index();
        long end = prefixTo == NO_END ? index.dataEnd(index.pages() - 1) : index.dataBefore(prefixTo);
        return Math.max(1, end - index.dataBefore(prefixFrom));
    }

    /** Whether the range of prefixes is between those of the run's tables. */
    private boolean hasNoTable() {
        int from = (int) (prefixFrom >>> 48);
        int last = prefixTo == NO_END ? EntryKey.TABLES_MAX - 1 : (int) ((prefixTo - 1) >>> 48);
        for (TableCount table : run.info().tables()) {
            if (table.table() >= from && table.table() <= last) {
                return false;
            }
        }
        return true;
    }

    /** A prefix that no entry of the view is below; reads nothing. Only for views that are not empty. */
    public long firstPrefix() {
        if (holdsAllKeyGroups()) {
            return firstInRange();
        }
        for (TableCount table : run.info().tables()) {
            RunView part = clipTable(table.table());
            if (part.bytesInRange() > 0) {
                return part.firstInRange();
            }
        }
        throw emptyView();
    }

    /** A prefix that no entry of the view is above; reads nothing. Only for views that are not empty. */
    public long lastPrefix() {
        if (holdsAllKeyGroups()) {
            return lastInRange();
        }
        List<TableCount> tables = run.info().tables();
        for (int i = tables.size() - 1; i >= 0; i--) {
            RunView part = clipTable(tables.get(i).table());
            if (part.bytesInRange() > 0) {
                return part.lastInRange();
            }
        }
        throw emptyView();
    }

    private IllegalStateException emptyView() {
        return new IllegalStateException("expected a view with entries, found " + this);
    }

    /** The view's key groups of a table, as a range of prefixes. */
    RunView clipTable(int table) {
        long from = EntryKey.prefix(table, keyGroupFrom, 0);
        return clipPrefixes(from, EntryKey.prefix(table, keyGroupTo, 0) + (1L << 32));
    }

    private boolean holdsNoKeyGroup() {
        return keyGroupFrom > keyGroupTo
                || keyGroupFrom > run.info().keyGroupMax()
                || keyGroupTo < run.info().keyGroupMin();
    }

    private boolean holdsAllKeyGroups() {
        return keyGroupFrom <= run.info().keyGroupMin()
                && keyGroupTo >= run.info().keyGroupMax();
    }

    private long firstInRange() {
        long first = run.info().firstPrefix();
        if (Long.compareUnsigned(prefixFrom, first) <= 0) {
            return first;
        }
        int from = (int) (prefixFrom >>> 48);
        for (TableCount table : run.info().tables()) {
            if (table.table() >= from) {
                return table.table() == from ? prefixFrom : EntryKey.prefix(table.table(), 0, 0);
            }
        }
        return prefixFrom;
    }

    private long lastInRange() {
        long last = run.info().lastPrefix();
        return Long.compareUnsigned(prefixTo - 1, last) < 0 ? prefixTo - 1 : last;
    }

    /**
     * A prefix greater than {@code from} before which lie about {@code bytes} bytes; {@link #NO_END} if the view ends
     * there.
     */
    public long prefixAfter(long from, long bytes) {
        long found = run.index().prefixAfter(from, bytes);
        boolean isBehind = found == NO_END || (prefixTo != NO_END && Long.compareUnsigned(found, prefixTo) >= 0);
        return isBehind ? prefixTo : found;
    }
}
