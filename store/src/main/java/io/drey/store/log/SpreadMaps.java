package io.drey.store.log;

import static io.drey.store.log.RecordLayout.COMPLETE;
import static io.drey.store.log.RecordLayout.ENTRY_GROUP;
import static io.drey.store.log.RecordLayout.ENTRY_NEXT;
import static io.drey.store.log.RecordLayout.ENTRY_PREVIOUS;
import static io.drey.store.log.RecordLayout.FLUSHED;
import static io.drey.store.log.RecordLayout.GROUP_ENTRIES;
import static io.drey.store.log.RecordLayout.GROUP_FIRST;
import static io.drey.store.log.RecordLayout.GROUP_KEY;
import static io.drey.store.log.RecordLayout.GROUP_VALUES;
import static io.drey.store.log.RecordLayout.MAP_ENTRY;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;

/**
 * Maps with many or large entries: each entry is a record of its own, indexed by itself, and a group record ties those of
 * a map together in a list. Evicting an entry ends that the map is complete.
 */
final class SpreadMaps {
    /** Clean tombstones of a group that are not worth looking for. */
    private static final int TOMBSTONES_KEPT = 32;

    private final Records records;
    private final Groups groups;
    private final Below below;
    private final EntryKey spreadKey = new EntryKey();
    private final Bytes spreadBytes = new Bytes();
    private final PackedWalk walk = new PackedWalk();
    private long spreads;

    SpreadMaps(Records records, Groups groups, Below below) {
        this.records = records;
        this.groups = groups;
        this.below = below;
    }

    /** How many packed maps became spread ones. */
    long spreads() {
        return spreads;
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
        int bytes = RecordLayout.padded(GROUP_KEY + key.groupLength());
        int group = records.createGroup(LogPages.GROUPS, key, RecordLayout.GROUP, flags, bytes);
        records.index.add(Records.groupTag(key), group);
        return group;
    }

    /** Makes a packed map of a front, and a base or 0, a spread one, all of whose entries are of the current epoch. */
    void spread(long place, long front, long base) {
        int bytes = RecordLayout.padded(GROUP_KEY + RecordLayout.keyLength(front));
        int group = records.createLike(LogPages.GROUPS, front, bytes);
        long address = records.address(group);
        Memory.putByte(address + RecordLayout.KIND, RecordLayout.GROUP);
        Memory.putInt(address + GROUP_FIRST, 0);
        Memory.putInt(address + GROUP_VALUES, 0);
        Memory.putInt(address + GROUP_ENTRIES, 0);
        LogIndex.replace(place, group);
        spreadBytes.clear();
        spreadBytes.append(front + GROUP_KEY, RecordLayout.keyLength(front));
        spreadKey.rawGroup(RecordLayout.table(front), RecordLayout.keyGroup(front), spreadBytes);
        walk.begin(front, 0, base, 0);
        while (walk.next()) {
            boolean isNew = RecordLayout.birth(walk.record()) == records.epochs.current();
            spreadEntry(walk.entry(), group, !isNew);
        }
        records.kill(front);
        if (base != 0) {
            records.kill(base);
        }
        spreads++;
    }

    private void spreadEntry(long entry, int group, boolean wasFlushed) {
        spreadBytes.clear();
        spreadBytes.append(PackedGroup.keyAddress(entry), PackedGroup.keyLength(entry));
        spreadKey.mapKey(spreadBytes.array(), 0, spreadBytes.length());
        boolean flushed = wasFlushed || (PackedGroup.flags(entry) & PackedGroup.FLUSHED) != 0;
        byte kind = PackedGroup.kind(entry);
        int length = PackedGroup.valueLength(entry);
        int record = records.create(spreadKey, kind, (byte) (MAP_ENTRY | (flushed ? FLUSHED : 0)), length);
        insert(spreadKey, record, kind, group);
        Records.writeValue(records.address(record), PackedGroup.valueAddress(entry), length);
    }

    /** Keeps a value that was read from runs, of an entry that is not in memory, in the map of a number. */
    void keep(int group, EntryKey key, byte[] value, int offset, int length) {
        int record = records.createCopy(key, MAP_ENTRY, length);
        insert(key, record, EntryKind.VALUE, group);
        Records.writeValue(records.address(record), value, offset, length);
    }

    /** Deletes the entry whose place is known. */
    void delete(long place, EntryKey key) {
        long record = records.address(LogIndex.record(place));
        if (RecordLayout.kind(record) == EntryKind.TOMBSTONE) {
            return;
        }
        long group = records.address(Memory.getInt(record + ENTRY_GROUP));
        if (records.wasFlushed(record) || (!Groups.isComplete(group) && below.mayHold(key))) {
            change(place, key, EntryKind.TOMBSTONE, 0);
            return;
        }
        records.index.remove(place);
        unlink(record);
        records.kill(record);
        groups.dropIfUseless(key, group);
    }

    /** Makes the record at a place one of that kind with room for a value; its address. */
    long change(long place, EntryKey key, byte kind, int valueBytes) {
        long record = records.address(LogIndex.record(place));
        long group = records.address(Memory.getInt(record + ENTRY_GROUP));
        countValue(group, RecordLayout.kind(record), -1);
        countValue(group, kind, 1);
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

    /** A new entry in the map of a number, made one of that kind with room for a value, linked and indexed; its address. */
    long add(int group, EntryKey key, byte kind, int valueBytes) {
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
    void clear(long group, EntryKey key) {
        boolean flushed = killEntries(group);
        boolean complete = Groups.isComplete(group);
        RecordLayout.set(group, COMPLETE);
        if (flushed || (!complete && below.mayHoldGroup(key))) {
            groups.bury(key, group);
        }
        groups.dropIfUseless(key, group);
    }

    /** Kills the entries of a group and tells whether any may have left a trace in runs. */
    private boolean killEntries(long group) {
        boolean flushed = false;
        for (int record = Memory.getInt(group + GROUP_FIRST); record != 0; ) {
            long address = records.address(record);
            flushed |= records.wasFlushed(address) || RecordLayout.kind(address) == EntryKind.TOMBSTONE;
            records.index.remove(records.index.placeOf(RecordLayout.tag(address), record));
            int next = Memory.getInt(address + ENTRY_NEXT);
            records.kill(address);
            record = next;
        }
        Memory.putInt(group + GROUP_FIRST, 0);
        Memory.putInt(group + GROUP_VALUES, 0);
        Memory.putInt(group + GROUP_ENTRIES, 0);
        return flushed;
    }

    /** Drops clean tombstones when they outnumber values: a complete group hides what is below without them. */
    void trim(long group) {
        int values = Memory.getInt(group + GROUP_VALUES);
        int tombstones = Memory.getInt(group + GROUP_ENTRIES) - values;
        if (tombstones <= values + TOMBSTONES_KEPT || !Groups.isComplete(group)) {
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
        long group = records.address(Memory.getInt(record + ENTRY_GROUP));
        RecordLayout.unset(group, COMPLETE);
        forget(record);
        if (!hasEntries(group) && groups.isDroppable(group)) {
            groups.drop(group);
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
            if (!records.wasFlushed(address)) {
                RecordLayout.set(address, FLUSHED);
            }
            record = Memory.getInt(address + ENTRY_NEXT);
        }
    }

    /** Whether a group record whose page should go can go: all its entries clean, its tombstone installed. */
    boolean isEvictable(long group) {
        if (!groups.isDroppable(group)) {
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
        return Groups.entries(group) > 0;
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
        groups.drop(group);
    }
}
