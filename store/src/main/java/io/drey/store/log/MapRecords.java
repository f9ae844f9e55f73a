package io.drey.store.log;

import static io.drey.store.log.RecordLayout.COMPLETE;
import static io.drey.store.log.RecordLayout.ENTRY_GROUP;
import static io.drey.store.log.RecordLayout.ENTRY_NEXT;
import static io.drey.store.log.RecordLayout.ENTRY_PREVIOUS;
import static io.drey.store.log.RecordLayout.GROUP_CLEARED;
import static io.drey.store.log.RecordLayout.GROUP_ENTRIES;
import static io.drey.store.log.RecordLayout.GROUP_FIRST;
import static io.drey.store.log.RecordLayout.GROUP_VALUES;
import static io.drey.store.log.RecordLayout.MAP_ENTRY;
import static io.drey.store.log.RecordLayout.SEALED;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;

/**
 * Maps in the log: a group record ties the entries of a map together in a list. A group is <em>complete</em> if every
 * entry that can be seen is in memory, so that what is not here is nowhere; evicting an entry ends that.
 *
 * <p>Clearing a map kills its entries here and, if runs may hold some, writes one group tombstone, a record that stands
 * by itself. While that is in no installed run the group record must stay, complete, to hide what is below.
 */
final class MapRecords {
    /** Clean tombstones of a group that are not worth looking for. */
    private static final int TOMBSTONES_KEPT = 32;

    private final Records records;
    private final Below below;

    MapRecords(Records records, Below below) {
        this.records = records;
        this.below = below;
    }

    /** Bytes of the record that a change of this entry with that much value may need. */
    int bytesFor(EntryKey key, int valueBytes) {
        return RecordLayout.padded(RecordLayout.ENTRY_KEY + key.mapKeyLength() + valueBytes);
    }

    /** Bytes of a group record, and, a little more, of a group tombstone. */
    int groupBytesFor(EntryKey key) {
        return RecordLayout.padded(RecordLayout.GROUP_KEY + key.groupLength() + 1);
    }

    /** {@link PointRecords#FOUND}, ABSENT or MISS. */
    int read(EntryKey key, Bytes value) {
        long place = records.find(key);
        if (place == 0) {
            return isComplete(key) ? PointRecords.ABSENT : PointRecords.MISS;
        }
        long record = records.address(LogIndex.record(place));
        if (RecordLayout.kind(record) == EntryKind.TOMBSTONE) {
            return PointRecords.ABSENT;
        }
        records.referenced(record);
        value.append(RecordLayout.valueAddress(record), RecordLayout.valueLength(record));
        return PointRecords.FOUND;
    }

    /** Keeps a value that was read from runs, of an entry that is not in memory. */
    void keep(EntryKey key, byte[] value, int offset, int length) {
        assert records.find(key) == 0;
        long groupPlace = records.findGroup(key);
        int group = groupPlace != 0 ? LogIndex.record(groupPlace) : records.createGroup(key, (byte) 0);
        int record = records.createCopy(key, MAP_ENTRY, length);
        insert(key, record, EntryKind.VALUE, group);
        Records.writeValue(records.address(record), value, offset, length);
    }

    private boolean isComplete(EntryKey key) {
        long group = group(key);
        return group != 0 && RecordLayout.has(group, COMPLETE);
    }

    /** The address of the group record of the key, or 0. */
    long group(EntryKey key) {
        long place = records.findGroup(key);
        return place == 0 ? 0 : records.address(LogIndex.record(place));
    }

    /** Entries with a value in memory. */
    int values(long group) {
        return Memory.getInt(group + GROUP_VALUES);
    }

    void put(EntryKey key, byte[] value, int offset, int length) {
        Records.writeValue(entry(key, EntryKind.VALUE, length), value, offset, length);
    }

    void delete(EntryKey key) {
        long place = records.find(key);
        if (place == 0) {
            if (!isComplete(key) && below.mayHold(key)) {
                entry(key, EntryKind.TOMBSTONE, 0);
            }
            return;
        }
        long record = records.address(LogIndex.record(place));
        if (RecordLayout.kind(record) == EntryKind.TOMBSTONE) {
            return;
        }
        long group = records.address(Memory.getInt(record + ENTRY_GROUP));
        if (records.wasSealed(record) || (!RecordLayout.has(group, COMPLETE) && below.mayHold(key))) {
            entry(key, EntryKind.TOMBSTONE, 0);
            return;
        }
        records.index.remove(place);
        unlink(record);
        records.kill(record);
        dropIfUseless(key, group);
    }

    /** An empty group tells that nothing is there; worth its memory only if runs would have to be asked otherwise. */
    private void dropIfUseless(EntryKey key, long group) {
        if (Memory.getInt(group + GROUP_ENTRIES) == 0 && isDroppable(group) && !below.mayHoldGroup(key)) {
            drop(group);
        }
    }

    private boolean isDroppable(long group) {
        return !records.epochs.isDirty(Memory.getInt(group + GROUP_CLEARED));
    }

    private void drop(long group) {
        long place = records.index.placeOf(RecordLayout.tag(group), records.pages.record(group));
        records.index.remove(place);
        records.kill(group);
    }

    /** The address of the entry's record, made one of that kind with room for a value, linked and indexed. */
    private long entry(EntryKey key, byte kind, int valueBytes) {
        long place = records.find(key);
        if (place == 0) {
            return newEntry(key, kind, valueBytes);
        }
        long record = records.address(LogIndex.record(place));
        long group = records.address(Memory.getInt(record + ENTRY_GROUP));
        countValue(group, RecordLayout.kind(record), -1);
        countValue(group, kind, 1);
        if (records.isMutable(record) && RecordLayout.valueCapacity(record) >= valueBytes) {
            records.renew(record);
            Records.rewrite(record, kind);
            return record;
        }
        byte flags = (byte) (MAP_ENTRY | (records.wasSealed(record) ? SEALED : 0));
        int changed = records.create(key, kind, flags, valueBytes);
        long address = records.address(changed);
        takePlaceInList(record, address, changed);
        LogIndex.replace(place, changed);
        records.kill(record);
        return address;
    }

    private long newEntry(EntryKey key, byte kind, int valueBytes) {
        long groupPlace = records.findGroup(key);
        int group = groupPlace != 0
                ? LogIndex.record(groupPlace)
                : records.createGroup(key, below.mayHoldGroup(key) ? 0 : COMPLETE);
        int record = records.create(key, kind, MAP_ENTRY, valueBytes);
        insert(key, record, kind, group);
        return records.address(record);
    }

    /** Indexes a new record and links it into its group. */
    private void insert(EntryKey key, int record, byte kind, int group) {
        link(records.address(record), record, group);
        countValue(records.address(group), kind, 1);
        records.index.add(Records.tag(key), record);
    }

    private static void countValue(long group, byte kind, int by) {
        if (kind == EntryKind.VALUE) {
            Memory.putInt(group + GROUP_VALUES, Memory.getInt(group + GROUP_VALUES) + by);
        }
    }

    private void link(long address, int record, int group) {
        long groupAddress = records.address(group);
        int first = Memory.getInt(groupAddress + GROUP_FIRST);
        Memory.putInt(address + ENTRY_GROUP, group);
        Memory.putInt(address + ENTRY_NEXT, first);
        Memory.putInt(address + ENTRY_PREVIOUS, 0);
        if (first != 0) {
            Memory.putInt(records.address(first) + ENTRY_PREVIOUS, record);
        }
        Memory.putInt(groupAddress + GROUP_FIRST, record);
        Memory.putInt(groupAddress + GROUP_ENTRIES, Memory.getInt(groupAddress + GROUP_ENTRIES) + 1);
    }

    private void takePlaceInList(long from, long to, int toRecord) {
        int group = Memory.getInt(from + ENTRY_GROUP);
        int next = Memory.getInt(from + ENTRY_NEXT);
        int previous = Memory.getInt(from + ENTRY_PREVIOUS);
        Memory.putInt(to + ENTRY_GROUP, group);
        Memory.putInt(to + ENTRY_NEXT, next);
        Memory.putInt(to + ENTRY_PREVIOUS, previous);
        if (next != 0) {
            Memory.putInt(records.address(next) + ENTRY_PREVIOUS, toRecord);
        }
        if (previous != 0) {
            Memory.putInt(records.address(previous) + ENTRY_NEXT, toRecord);
        } else {
            Memory.putInt(records.address(group) + GROUP_FIRST, toRecord);
        }
    }

    private void unlink(long record) {
        long group = records.address(Memory.getInt(record + ENTRY_GROUP));
        int next = Memory.getInt(record + ENTRY_NEXT);
        int previous = Memory.getInt(record + ENTRY_PREVIOUS);
        if (next != 0) {
            Memory.putInt(records.address(next) + ENTRY_PREVIOUS, previous);
        }
        if (previous != 0) {
            Memory.putInt(records.address(previous) + ENTRY_NEXT, next);
        } else {
            Memory.putInt(group + GROUP_FIRST, next);
        }
        countValue(group, RecordLayout.kind(record), -1);
        Memory.putInt(group + GROUP_ENTRIES, Memory.getInt(group + GROUP_ENTRIES) - 1);
    }

    /** Removes all entries of the map of the key, which addresses the group itself. */
    void clear(EntryKey key) {
        assert !key.isMapEntry();
        long group = group(key);
        if (group == 0) {
            if (below.mayHoldGroup(key)) {
                group = records.address(records.createGroup(key, COMPLETE));
                bury(key, group);
            }
            return;
        }
        boolean sealed = killEntries(group);
        boolean complete = RecordLayout.has(group, COMPLETE);
        RecordLayout.set(group, COMPLETE);
        if (sealed || (!complete && below.mayHoldGroup(key))) {
            bury(key, group);
        }
        dropIfUseless(key, group);
    }

    /** Writes a group tombstone, unless one of this epoch stands already. */
    private void bury(EntryKey key, long group) {
        if (Memory.getInt(group + GROUP_CLEARED) != records.epochs.current()) {
            records.create(key, EntryKind.GROUP_TOMBSTONE, (byte) 0, 0);
            Memory.putInt(group + GROUP_CLEARED, records.epochs.current());
        }
    }

    /** Kills the entries of a group and tells whether any may have left a trace in runs. */
    private boolean killEntries(long group) {
        boolean sealed = false;
        for (int record = Memory.getInt(group + GROUP_FIRST); record != 0; ) {
            long address = records.address(record);
            sealed |= records.wasSealed(address) || RecordLayout.kind(address) == EntryKind.TOMBSTONE;
            records.index.remove(records.index.placeOf(RecordLayout.tag(address), record));
            int next = Memory.getInt(address + ENTRY_NEXT);
            records.kill(address);
            record = next;
        }
        Memory.putInt(group + GROUP_FIRST, 0);
        Memory.putInt(group + GROUP_VALUES, 0);
        Memory.putInt(group + GROUP_ENTRIES, 0);
        return sealed;
    }

    /** Drops clean tombstones when they outnumber values: a complete group hides what is below without them. */
    void trim(long group) {
        int values = Memory.getInt(group + GROUP_VALUES);
        int tombstones = Memory.getInt(group + GROUP_ENTRIES) - values;
        if (tombstones <= values + TOMBSTONES_KEPT || !RecordLayout.has(group, COMPLETE)) {
            return;
        }
        for (int record = Memory.getInt(group + GROUP_FIRST); record != 0; ) {
            long address = records.address(record);
            record = Memory.getInt(address + ENTRY_NEXT);
            if (RecordLayout.kind(address) == EntryKind.TOMBSTONE
                    && !records.epochs.isDirty(RecordLayout.birth(address))) {
                forget(address);
            }
        }
    }

    /** Moves a clean entry with a value to a younger page, in which there is room. */
    void move(long record) {
        long place = records.index.placeOf(RecordLayout.tag(record), records.pages.record(record));
        int moved = records.copy(LogPages.COPIES, record);
        takePlaceInList(record, records.address(moved), moved);
        LogIndex.replace(place, moved);
        records.kill(record);
    }

    /** Forgets a clean entry whose page goes. */
    void evict(long record) {
        long group = records.address(Memory.getInt(record + ENTRY_GROUP));
        RecordLayout.unset(group, COMPLETE);
        forget(record);
        if (!hasEntries(group) && isDroppable(group)) {
            drop(group);
        }
    }

    private void forget(long record) {
        records.index.remove(records.index.placeOf(RecordLayout.tag(record), records.pages.record(record)));
        unlink(record);
        records.kill(record);
    }

    /**
     * All entries that can be seen turned out to be in memory. What runs hold of them was not asked when they were written,
     * so from now on each may have left a trace there.
     */
    void complete(long group) {
        RecordLayout.set(group, COMPLETE);
        for (int record = Memory.getInt(group + GROUP_FIRST); record != 0; ) {
            long address = records.address(record);
            if (!records.wasSealed(address)) {
                RecordLayout.set(address, SEALED);
            }
            record = Memory.getInt(address + ENTRY_NEXT);
        }
    }

    /** An entry of this map came to be below that is not in memory. */
    void doubt(EntryKey key) {
        long group = group(key);
        if (group != 0) {
            RecordLayout.unset(group, COMPLETE);
        }
    }

    /** Whether a group record whose page should go can go: all its entries clean, its tombstone installed. */
    boolean isEvictable(long group) {
        if (!isDroppable(group)) {
            return false;
        }
        for (int record = Memory.getInt(group + GROUP_FIRST); record != 0; ) {
            long address = records.address(record);
            if (records.epochs.isDirty(RecordLayout.birth(address))) {
                return false;
            }
            record = Memory.getInt(address + ENTRY_NEXT);
        }
        return true;
    }

    /** Whether a group ties anything together; its entries go when their own pages do. */
    static boolean hasEntries(long group) {
        return Memory.getInt(group + GROUP_ENTRIES) > 0;
    }

    /** Moves an evictable group to a younger page, in which there is room; its entries stay where they are. */
    void moveGroup(long group) {
        long place = records.index.placeOf(RecordLayout.tag(group), records.pages.record(group));
        int moved = records.copy(LogPages.GROUPS, group);
        for (int record = Memory.getInt(group + GROUP_FIRST); record != 0; ) {
            long address = records.address(record);
            Memory.putInt(address + ENTRY_GROUP, moved);
            record = Memory.getInt(address + ENTRY_NEXT);
        }
        LogIndex.replace(place, moved);
        records.kill(group);
    }

    /** Forgets an evictable group and its entries. */
    void evictGroup(long group) {
        killEntries(group);
        drop(group);
    }
}
