package io.drey.store.log.map;

import static io.drey.store.log.record.RecordLayout.COMPLETE;
import static io.drey.store.log.record.RecordLayout.ENTRY_NEXT;
import static io.drey.store.log.record.RecordLayout.ENTRY_PREVIOUS;
import static io.drey.store.log.record.RecordLayout.ENTRY_ROW;
import static io.drey.store.log.record.RecordLayout.FLUSHED;
import static io.drey.store.log.record.RecordLayout.MAP_ENTRY;
import static io.drey.store.log.record.RecordLayout.ROW_ENTRIES;
import static io.drey.store.log.record.RecordLayout.ROW_FIRST;
import static io.drey.store.log.record.RecordLayout.ROW_KEY;
import static io.drey.store.log.record.RecordLayout.ROW_VALUES;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.log.record.LogIndex;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.LowerLevels;
import io.drey.store.log.record.PointRecords;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/**
 * Maps with many or large entries: each entry is a record of its own, indexed by itself, and a row record ties those of
 * a map together in a list. Evicting an entry ends that the map is complete.
 */
final class LinkedMaps {
    /** Clean tombstones of a row that are not worth looking for. */
    private static final int TOMBSTONES_KEPT = 32;

    private final Records records;
    private final Rows rows;
    private final LowerLevels below;
    private final EntryKey linkedKey = new EntryKey();
    private final Bytes linkedBytes = new Bytes();
    private final InlineMapCursor walk = new InlineMapCursor();
    private long made;

    LinkedMaps(Records records, Rows rows, LowerLevels below) {
        this.records = records;
        this.rows = rows;
        this.below = below;
    }

    /** How many inline maps became linked ones. */
    long made() {
        return made;
    }

    /** {@link PointRecords#FOUND} or ABSENT: what an entry's record tells. */
    int read(long record, Bytes value) {
        if (RecordLayout.kind(record) == EntryKind.TOMBSTONE) {
            return PointRecords.ABSENT;
        }
        records.referenced(record);
        value.append(RecordLayout.valueAddress(record), RecordLayout.valueLength(record));
        return PointRecords.FOUND;
    }

    /** A new map without entries, indexed; its number. */
    int create(EntryKey key, byte flags) {
        int bytes = RecordLayout.padded(ROW_KEY + key.rowLength());
        int row = records.createRow(LogPages.ROWS, key, RecordLayout.ROW, flags, bytes);
        records.index.add(Records.rowTag(key), row);
        return row;
    }

    /** Makes an inline map of a delta, and a base or 0, a linked one, all of whose entries are of the current epoch. */
    void link(long place, long delta, long base) {
        int bytes = RecordLayout.padded(ROW_KEY + RecordLayout.keyLength(delta));
        int row = records.createLike(LogPages.ROWS, delta, bytes);
        long address = records.address(row);
        Memory.putByte(address + RecordLayout.KIND, RecordLayout.ROW);
        Memory.putInt(address + ROW_FIRST, 0);
        Memory.putInt(address + ROW_VALUES, 0);
        Memory.putInt(address + ROW_ENTRIES, 0);
        LogIndex.replace(place, row);
        linkedBytes.clear();
        linkedBytes.append(delta + ROW_KEY, RecordLayout.keyLength(delta));
        linkedKey.rawRow(RecordLayout.table(delta), RecordLayout.keyGroup(delta), linkedBytes);
        walk.begin(delta, 0, base, 0);
        while (walk.next()) {
            boolean isNew = RecordLayout.birth(walk.record()) == records.epochs.current();
            linkedEntry(walk.entry(), row, !isNew);
        }
        records.kill(delta);
        if (base != 0) {
            records.kill(base);
        }
        made++;
    }

    private void linkedEntry(long entry, int row, boolean wasFlushed) {
        linkedBytes.clear();
        linkedBytes.append(InlineMap.keyAddress(entry), InlineMap.keyLength(entry));
        linkedKey.mapKey(linkedBytes.array(), 0, linkedBytes.length());
        boolean flushed = wasFlushed || (InlineMap.flags(entry) & InlineMap.FLUSHED) != 0;
        byte kind = InlineMap.kind(entry);
        int length = InlineMap.valueLength(entry);
        int record = records.create(linkedKey, kind, (byte) (MAP_ENTRY | (flushed ? FLUSHED : 0)), length);
        insert(linkedKey, record, kind, row);
        Records.writeValue(records.address(record), InlineMap.valueAddress(entry), length);
    }

    /** Keeps a value that was read from runs, of an entry that is not in memory, in the map of a number. */
    void keep(int row, EntryKey key, byte[] value, int offset, int length) {
        int record = records.createCopy(key, MAP_ENTRY, length);
        insert(key, record, EntryKind.VALUE, row);
        Records.writeValue(records.address(record), value, offset, length);
    }

    /** Deletes the entry whose place is known. */
    void delete(long place, EntryKey key) {
        long record = records.address(LogIndex.record(place));
        if (RecordLayout.kind(record) == EntryKind.TOMBSTONE) {
            return;
        }
        long row = records.address(Memory.getInt(record + ENTRY_ROW));
        if (records.wasFlushed(record) || (!Rows.isComplete(row) && below.mayHold(key))) {
            change(place, key, EntryKind.TOMBSTONE, 0);
            return;
        }
        records.index.remove(place);
        unlink(record);
        records.kill(record);
        rows.dropIfUseless(key, row);
    }

    /** Makes the record at a place one of that kind with room for a value; its address. */
    long change(long place, EntryKey key, byte kind, int valueBytes) {
        long record = records.address(LogIndex.record(place));
        long row = records.address(Memory.getInt(record + ENTRY_ROW));
        countValue(row, RecordLayout.kind(record), -1);
        countValue(row, kind, 1);
        if (records.isMutable(record) && RecordLayout.valueCapacity(record) >= valueBytes) {
            records.renew(record);
            Records.rewrite(record, kind);
            return record;
        }
        byte flags = (byte) (MAP_ENTRY | (records.wasFlushed(record) ? FLUSHED : 0));
        int changed = records.create(key, kind, flags, records.roomToGrow(record, valueBytes));
        long address = records.address(changed);
        takePlaceInList(record, address, changed);
        LogIndex.replace(place, changed);
        records.kill(record);
        return address;
    }

    /**
     * A new entry in the map of a number, made one of that kind with room for a value, linked and indexed; its address.
     */
    long add(int row, EntryKey key, byte kind, int valueBytes) {
        int record = records.create(key, kind, MAP_ENTRY, valueBytes);
        insert(key, record, kind, row);
        return records.address(record);
    }

    /** Indexes a new record and links it into its row. */
    private void insert(EntryKey key, int record, byte kind, int row) {
        link(records.address(record), record, row);
        countValue(records.address(row), kind, 1);
        records.index.add(Records.tag(key), record);
    }

    private static void countValue(long row, byte kind, int by) {
        if (kind == EntryKind.VALUE) {
            Memory.putInt(row + ROW_VALUES, Memory.getInt(row + ROW_VALUES) + by);
        }
    }

    private void link(long address, int record, int row) {
        long rowAddress = records.address(row);
        int first = Memory.getInt(rowAddress + ROW_FIRST);
        Memory.putInt(address + ENTRY_ROW, row);
        Memory.putInt(address + ENTRY_NEXT, first);
        Memory.putInt(address + ENTRY_PREVIOUS, 0);
        if (first != 0) {
            Memory.putInt(records.address(first) + ENTRY_PREVIOUS, record);
        }
        Memory.putInt(rowAddress + ROW_FIRST, record);
        Memory.putInt(rowAddress + ROW_ENTRIES, Memory.getInt(rowAddress + ROW_ENTRIES) + 1);
    }

    private void takePlaceInList(long from, long to, int toRecord) {
        int row = Memory.getInt(from + ENTRY_ROW);
        int next = Memory.getInt(from + ENTRY_NEXT);
        int previous = Memory.getInt(from + ENTRY_PREVIOUS);
        Memory.putInt(to + ENTRY_ROW, row);
        Memory.putInt(to + ENTRY_NEXT, next);
        Memory.putInt(to + ENTRY_PREVIOUS, previous);
        if (next != 0) {
            Memory.putInt(records.address(next) + ENTRY_PREVIOUS, toRecord);
        }
        if (previous != 0) {
            Memory.putInt(records.address(previous) + ENTRY_NEXT, toRecord);
        } else {
            Memory.putInt(records.address(row) + ROW_FIRST, toRecord);
        }
    }

    private void unlink(long record) {
        long row = records.address(Memory.getInt(record + ENTRY_ROW));
        int next = Memory.getInt(record + ENTRY_NEXT);
        int previous = Memory.getInt(record + ENTRY_PREVIOUS);
        if (next != 0) {
            Memory.putInt(records.address(next) + ENTRY_PREVIOUS, previous);
        }
        if (previous != 0) {
            Memory.putInt(records.address(previous) + ENTRY_NEXT, next);
        } else {
            Memory.putInt(row + ROW_FIRST, next);
        }
        countValue(row, RecordLayout.kind(record), -1);
        Memory.putInt(row + ROW_ENTRIES, Memory.getInt(row + ROW_ENTRIES) - 1);
    }

    /** Removes all entries of the map of the key, which addresses the row itself. */
    void clear(long row, EntryKey key) {
        boolean flushed = killEntries(row);
        boolean complete = Rows.isComplete(row);
        RecordLayout.set(row, COMPLETE);
        boolean mayBeBelow = true;
        try {
            mayBeBelow = flushed || (!complete && below.mayHoldRow(key));
        } finally {
            // Also if it cannot be read, as the entries here are gone: those below must not come back.
            if (mayBeBelow) {
                rows.bury(key, row);
            }
        }
        rows.dropIfUseless(key, row);
    }

    /** Kills the entries of a row and tells whether any may have left a trace in runs. */
    private boolean killEntries(long row) {
        boolean flushed = false;
        for (int record = Memory.getInt(row + ROW_FIRST); record != 0; ) {
            long address = records.address(record);
            flushed |= records.wasFlushed(address) || RecordLayout.kind(address) == EntryKind.TOMBSTONE;
            records.index.remove(records.index.placeOf(RecordLayout.tag(address), record));
            int next = Memory.getInt(address + ENTRY_NEXT);
            records.kill(address);
            record = next;
        }
        Memory.putInt(row + ROW_FIRST, 0);
        Memory.putInt(row + ROW_VALUES, 0);
        Memory.putInt(row + ROW_ENTRIES, 0);
        return flushed;
    }

    /** Drops clean tombstones when they outnumber values: a complete row hides what is below without them. */
    void trim(long row) {
        int values = Memory.getInt(row + ROW_VALUES);
        int tombstones = Memory.getInt(row + ROW_ENTRIES) - values;
        if (tombstones <= values + TOMBSTONES_KEPT || !Rows.isComplete(row)) {
            return;
        }
        for (int record = Memory.getInt(row + ROW_FIRST); record != 0; ) {
            long address = records.address(record);
            record = Memory.getInt(address + ENTRY_NEXT);
            if (RecordLayout.kind(address) == EntryKind.TOMBSTONE
                    && !records.epochs.isDirty(RecordLayout.birth(address))) {
                forget(address);
            }
        }
    }

    /** Moves an entry that is not frozen to a younger page, in which there is room. */
    void move(long record) {
        long place = records.index.placeOf(RecordLayout.tag(record), records.pages.record(record));
        int moved = records.copy(record);
        takePlaceInList(record, records.address(moved), moved);
        LogIndex.replace(place, moved);
        records.kill(record);
    }

    /** Forgets a clean entry whose page goes. */
    void evict(long record) {
        long row = records.address(Memory.getInt(record + ENTRY_ROW));
        RecordLayout.unset(row, COMPLETE);
        forget(record);
        if (!hasEntries(row) && rows.isDroppable(row)) {
            rows.drop(row);
        }
    }

    private void forget(long record) {
        records.index.remove(records.index.placeOf(RecordLayout.tag(record), records.pages.record(record)));
        unlink(record);
        records.kill(record);
    }

    /**
     * All entries that can be seen turned out to be in memory. What runs hold of them was not asked when they were
     * written, so from now on each may have left a trace there.
     */
    void complete(long row) {
        RecordLayout.set(row, COMPLETE);
        for (int record = Memory.getInt(row + ROW_FIRST); record != 0; ) {
            long address = records.address(record);
            if (!records.wasFlushed(address)) {
                RecordLayout.set(address, FLUSHED);
            }
            record = Memory.getInt(address + ENTRY_NEXT);
        }
    }

    /** Whether a row record whose page should go can go: all its entries clean, its tombstone installed. */
    boolean isEvictable(long row) {
        if (!rows.isDroppable(row)) {
            return false;
        }
        for (int record = Memory.getInt(row + ROW_FIRST); record != 0; ) {
            long address = records.address(record);
            if (records.epochs.isDirty(RecordLayout.birth(address))) {
                return false;
            }
            record = Memory.getInt(address + ENTRY_NEXT);
        }
        return true;
    }

    /** Whether a row ties anything together; its entries go when their own pages do. */
    static boolean hasEntries(long row) {
        return Rows.entries(row) > 0;
    }

    /** Moves an evictable row to a younger page, in which there is room; its entries stay where they are. */
    void moveRow(long row) {
        long place = records.index.placeOf(RecordLayout.tag(row), records.pages.record(row));
        int moved = records.copy(LogPages.ROWS, row);
        for (int record = Memory.getInt(row + ROW_FIRST); record != 0; ) {
            long address = records.address(record);
            Memory.putInt(address + ENTRY_ROW, moved);
            record = Memory.getInt(address + ENTRY_NEXT);
        }
        LogIndex.replace(place, moved);
        records.kill(row);
    }

    /** Forgets an evictable row and its entries. */
    void evictRow(long row) {
        killEntries(row);
        rows.drop(row);
    }
}
