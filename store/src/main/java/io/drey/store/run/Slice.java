package io.drey.store.run;

import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;

/**
 * A run as a version sees it: entries outside the key groups and the prefix range do not exist. Immutable; counts no
 * reference of the run.
 *
 * @param keyGroupTo inclusive
 * @param prefixFrom first prefix, unsigned
 * @param prefixTo first prefix after the slice, unsigned, or {@link #NO_END}
 */
public record Slice(Run run, int keyGroupFrom, int keyGroupTo, long prefixFrom, long prefixTo) {
    /** As the end of a range of prefixes: no end. */
    public static final long NO_END = 0;

    public static Slice of(Run run) {
        return new Slice(run, 0, 0xffff, 0, NO_END);
    }

    /** Whether the entry can be in the slice as far as its bounds tell; reads nothing. */
    public boolean mayHold(EntryKey key) {
        throw new UnsupportedOperationException();
    }

    /**
     * Looks up an entry: 0 if the slice does not hold it, else its kind, with the value in the session. A map entry that
     * is absent while its group has a tombstone here is found as GROUP_TOMBSTONE.
     */
    public byte find(EntryKey key, ReadSession session) {
        throw new UnsupportedOperationException();
    }

    /** All entries of the group that the key addresses, the group's own first; null if there are certainly none. */
    public EntryCursor group(EntryKey key, ReadSession session) {
        throw new UnsupportedOperationException();
    }

    /** The entries of a group after the map entry that the key addresses; null if there are certainly none. */
    public EntryCursor groupAfter(EntryKey key, ReadSession session) {
        throw new UnsupportedOperationException();
    }

    /** All entries of a table and key group; null if there are certainly none. */
    public EntryCursor keyGroup(int table, int keyGroup, ReadSession session) {
        throw new UnsupportedOperationException();
    }

    /** All entries with prefixes in {@code [from, to)}; null if there are certainly none. */
    public EntryCursor range(long from, long to, ReadSession session) {
        throw new UnsupportedOperationException();
    }

    /** The same slice, at most with these key groups. */
    public Slice clipKeyGroups(int from, int to) {
        throw new UnsupportedOperationException();
    }

    /** The same slice, at most with these prefixes. */
    public Slice clipPrefixes(long from, long to) {
        throw new UnsupportedOperationException();
    }

    /** Whether the bounds leave nothing of the run. */
    public boolean isEmpty() {
        throw new UnsupportedOperationException();
    }

    /** About how many bytes of the file hold what is in the slice; 0 only if it is certainly empty. */
    public long bytes() {
        throw new UnsupportedOperationException();
    }
}
