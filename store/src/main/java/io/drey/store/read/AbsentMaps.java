package io.drey.store.read;

import io.drey.store.entry.EntryKey;
import java.util.Arrays;

/**
 * The map that was last found to be nowhere in the runs: what asks for it next is likely its first entry, which needs not
 * ask all filters again. And, for each table, whether the map should be asked for in place of an entry: that is so where
 * entries that are not there are mostly those of maps that are not there either, and are set next.
 *
 * <p>Right for one version of the runs only. One thread.
 */
final class AbsentMaps {
    private static final int SCORE_MAX = 16;

    private final EntryKey absent = new EntryKey();
    private boolean isKnown;

    /** Where an entry was last sought and not found, its map not being asked for: what its map turns out to be counts. */
    private long soughtPrefix;

    private long soughtRow;

    /** By table, how often entries not found were of absent maps rather than of others, lately. */
    private byte[] scores = new byte[16];

    /** Whether to ask for the map of an entry before the entry. */
    boolean isAskedFirst(int table) {
        return table < scores.length && scores[table] > 0;
    }

    /** Whether the map of a key is known to be absent. */
    boolean isAbsent(EntryKey key) {
        return isKnown && absent.isSameRow(key);
    }

    /** The map of a key was asked for in place of an entry. */
    void answeredFirst(EntryKey key, boolean mayBeThere) {
        remember(key, mayBeThere);
        count(key.table(), mayBeThere);
    }

    /** The map of a key was asked for. */
    void answered(EntryKey key, boolean mayBeThere) {
        remember(key, mayBeThere);
        if (key.rowHash() == soughtRow && key.prefix() == soughtPrefix) {
            soughtPrefix = 0;
            soughtRow = 0;
            count(key.table(), mayBeThere);
        }
    }

    private void remember(EntryKey key, boolean mayBeThere) {
        if (!mayBeThere) {
            absent.set(key);
            isKnown = true;
        }
    }

    private void count(int table, boolean mayBeThere) {
        if (table >= scores.length) {
            scores = Arrays.copyOf(scores, Math.max(table + 1, 2 * scores.length));
        }
        int score = scores[table] + (mayBeThere ? -1 : 1);
        scores[table] = (byte) Math.max(-SCORE_MAX, Math.min(SCORE_MAX, score));
    }

    /** An entry was sought and is not there. */
    void missed(EntryKey key) {
        soughtPrefix = key.prefix();
        soughtRow = key.rowHash();
    }

    /** Another version of the runs is in force. */
    void forget() {
        isKnown = false;
    }
}
