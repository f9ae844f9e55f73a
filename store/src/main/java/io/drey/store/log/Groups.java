package io.drey.store.log;

import static io.drey.store.log.RecordLayout.COMPLETE;
import static io.drey.store.log.RecordLayout.FLUSHED;
import static io.drey.store.log.RecordLayout.GROUP_CLEARED;
import static io.drey.store.log.RecordLayout.GROUP_ENTRIES;
import static io.drey.store.log.RecordLayout.GROUP_VALUES;

import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;

/**
 * What packed and spread maps have in common: the header of the record that stands for the map. A map is <em>complete</em>
 * if every entry that can be seen is in memory, so that what is not here is nowhere. Clearing a map of which runs may hold
 * entries writes one group tombstone, a record that stands by itself; while that is in no installed run the map's record
 * must stay, complete, to hide what is below.
 */
final class Groups {
    private final Records records;
    private final Below below;

    Groups(Records records, Below below) {
        this.records = records;
        this.below = below;
    }

    static boolean isComplete(long group) {
        return RecordLayout.has(group, COMPLETE);
    }

    /** Entries with a value in memory. */
    static int values(long group) {
        return Memory.getInt(group + GROUP_VALUES);
    }

    /** Entries in memory, tombstones among them. */
    static int entries(long group) {
        return Memory.getInt(group + GROUP_ENTRIES);
    }

    /** The flags of a new record for a map of which nothing is in memory. */
    byte flagsOfNew(EntryKey key) {
        return !records.tables.isWhole(key.table()) && below.mayHoldGroup(key) ? 0 : COMPLETE;
    }

    /** Whether nothing that is not yet in a run depends on the record. */
    boolean isDroppable(long group) {
        return !records.epochs.isDirty(Memory.getInt(group + GROUP_CLEARED));
    }

    /** An empty map tells that nothing is there; worth its memory only if runs would have to be asked otherwise. */
    void dropIfUseless(EntryKey key, long group) {
        if (entries(group) == 0 && isDroppable(group) && !mayBeInFlushes(group) && !below.mayHoldGroup(key)) {
            drop(group);
        }
    }

    /**
     * Whether entries of the map may be in frozen epochs, of which runs know nothing yet. A complete map has forgotten the
     * tombstones among them; it must hide entries whose run is installed until that of their tombstones is, too.
     */
    private boolean mayBeInFlushes(long group) {
        return records.epochs.isFlushing() && RecordLayout.has(group, FLUSHED);
    }

    void drop(long group) {
        records.index.remove(records.index.placeOf(RecordLayout.tag(group), records.pages.record(group)));
        records.kill(group);
    }

    /** Writes a group tombstone, unless one of this epoch stands already. */
    void bury(EntryKey key, long group) {
        if (Memory.getInt(group + GROUP_CLEARED) != records.epochs.current()) {
            records.create(key, EntryKind.GROUP_TOMBSTONE, (byte) 0, 0);
            Memory.putInt(group + GROUP_CLEARED, records.epochs.current());
        }
    }
}
