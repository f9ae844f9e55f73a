package io.drey.store.log.map;

import static io.drey.store.log.record.RecordLayout.COMPLETE;
import static io.drey.store.log.record.RecordLayout.FLUSHED;
import static io.drey.store.log.record.RecordLayout.ROW_CLEARED;
import static io.drey.store.log.record.RecordLayout.ROW_ENTRIES;
import static io.drey.store.log.record.RecordLayout.ROW_VALUES;

import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.log.record.LowerLevels;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/**
 * The common part of inline and linked maps: the header of the record that stands for the map. A map is
 * <em>complete</em> if every entry that can be seen is in memory, so that what is not here is nowhere. Clearing a map
 * of which runs may hold entries writes one row tombstone, a record that stands by itself; while that is in no
 * installed run the map's record must stay, complete, to hide what is below.
 */
public final class Rows {
    private final Records records;
    private final LowerLevels below;

    Rows(Records records, LowerLevels below) {
        this.records = records;
        this.below = below;
    }

    public static boolean isComplete(long row) {
        return RecordLayout.has(row, COMPLETE);
    }

    /** Entries with a value in memory. */
    public static int values(long row) {
        return Memory.getInt(row + ROW_VALUES);
    }

    /** Entries in memory, tombstones among them. */
    static int entries(long row) {
        return Memory.getInt(row + ROW_ENTRIES);
    }

    /** The flags of a new record for a map of which nothing is in memory. */
    byte flagsOfNew(EntryKey key) {
        return !records.tables.isWhole(key.table()) && below.mayHoldRow(key) ? 0 : COMPLETE;
    }

    /** Whether nothing that is not yet in a run depends on the record. */
    boolean isDroppable(long row) {
        return !records.epochs.isDirty(Memory.getInt(row + ROW_CLEARED));
    }

    /** An empty map tells that nothing is there; worth its memory only if runs would have to be asked otherwise. */
    void dropIfUseless(EntryKey key, long row) {
        if (entries(row) == 0 && isDroppable(row) && !mayBeInFlushes(row) && !below.mayHoldRow(key)) {
            drop(row);
        }
    }

    /**
     * Whether entries of the map may be in frozen epochs, of which runs know nothing yet. A complete map has forgotten
     * the tombstones among them; it must hide entries whose run is installed until that of their tombstones is, too.
     */
    private boolean mayBeInFlushes(long row) {
        return records.epochs.isFlushing() && RecordLayout.has(row, FLUSHED);
    }

    void drop(long row) {
        records.index.remove(records.index.placeOf(RecordLayout.tag(row), records.pages.record(row)));
        records.kill(row);
    }

    /** Writes a row tombstone, unless one of this epoch stands already. */
    void bury(EntryKey key, long row) {
        if (Memory.getInt(row + ROW_CLEARED) != records.epochs.current()) {
            records.create(key, EntryKind.ROW_TOMBSTONE, (byte) 0, 0);
            Memory.putInt(row + ROW_CLEARED, records.epochs.current());
        }
    }
}
