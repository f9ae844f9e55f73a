package io.drey.store.log;

import static io.drey.store.log.PackedGroup.DIRTY;
import static io.drey.store.log.PackedGroup.NONE;
import static io.drey.store.log.PackedGroup.SEALED;
import static io.drey.store.log.PackedGroup.TOMBSTONE;
import static io.drey.store.log.RecordLayout.COMPLETE;
import static io.drey.store.log.RecordLayout.GROUP_CLEARED;
import static io.drey.store.log.RecordLayout.GROUP_VALUES;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;

/**
 * Maps so small that one record holds them ({@link PackedGroup}): one place in the index for all entries, which lie
 * together in order. A map that outgrows its record becomes a spread one ({@link SpreadMaps}).
 *
 * <p>The index names the <em>head</em> of a map, which tells of the whole map whether it is complete and how many values it
 * has. When a large head must not change, a small one for what changes is put before it, and it is the <em>base</em> then,
 * which no longer changes: so one change neither copies nor keeps in memory many entries that are in runs already. A map
 * has at most these two records, and the base is never younger. Once a base may change again it takes in its head.
 *
 * <p>Flags tell which entries of a record changed in the epoch of its birth: those are sealed with it.
 */
final class PackedMaps {
    private static final byte[] NO_VALUE = {};

    private final Records records;
    private final Groups groups;
    private final Below below;
    private final PackedRecords packed;
    private final PackedHeads heads;

    PackedMaps(Records records, Groups groups, Below below, PackedRecords packed, PackedHeads heads) {
        this.records = records;
        this.groups = groups;
        this.below = below;
        this.packed = packed;
        this.heads = heads;
    }

    /** {@link PointRecords#FOUND}, ABSENT or MISS. */
    int read(long head, EntryKey key, Bytes value) {
        long entry = packed.find(head, key);
        if (entry == 0) {
            return Groups.isComplete(head) ? PointRecords.ABSENT : PointRecords.MISS;
        }
        if (!PackedRecords.isValue(entry)) {
            return PointRecords.ABSENT;
        }
        referenced(head);
        value.append(PackedGroup.valueAddress(entry), PackedGroup.valueLength(entry));
        return PointRecords.FOUND;
    }

    private void referenced(long head) {
        records.referenced(head);
        long base = packed.base(head);
        if (base != 0) {
            records.referenced(base);
        }
    }

    /** A new map with one entry, which {@link PackedRecords#fits}. */
    void create(EntryKey key, byte[] value, int offset, int length) {
        long head = packed.create(LogPages.DATA, key, groups.flagsOfNew(key), length);
        PackedGroup.insert(head, key, DIRTY, value, offset, length);
        PackedRecords.addValues(head, 1);
        records.changedPacked(RecordLayout.bytes(head));
    }

    /** A new map with a tombstone, which {@link PackedRecords#fits}. */
    void createBuried(EntryKey key) {
        long head = packed.create(LogPages.DATA, key, groups.flagsOfNew(key), 0);
        PackedGroup.insert(head, key, (byte) (DIRTY | TOMBSTONE), NO_VALUE, 0, 0);
        records.changedPacked(RecordLayout.bytes(head));
    }

    /** A new, empty map that is known to have no entries. */
    long createEmpty(EntryKey key) {
        return packed.create(LogPages.DATA, key, COMPLETE, 0);
    }

    /** Sets a value; false, without having set it, if the map is too large with it. */
    boolean put(long place, EntryKey key, byte[] value, int offset, int length) {
        return packed.fits(key, length) && set(place, key, (byte) 0, value, offset, length);
    }

    /** Whether an entry was removed or buried; false, with it still there, if the map is too large with its tombstone. */
    boolean delete(long place, EntryKey key) {
        long head = records.address(LogIndex.record(place));
        long entry = packed.find(head, key);
        if (entry == 0) {
            boolean mayBeBelow = !Groups.isComplete(head) && below.mayHold(key);
            return !mayBeBelow || (packed.fits(key, 0) && set(place, key, TOMBSTONE, NO_VALUE, 0, 0));
        }
        if (!PackedRecords.isValue(entry)) {
            return true;
        }
        int slot = PackedGroup.find(head, key);
        if (slot == NONE
                || wasSealed(head, PackedGroup.flags(entry))
                || (!Groups.isComplete(head) && below.mayHold(key))) {
            return set(place, key, TOMBSTONE, NO_VALUE, 0, 0);
        }
        PackedGroup.remove(head, slot);
        PackedRecords.addValues(head, -1);
        if (PackedGroup.older(head) == 0) {
            groups.dropIfUseless(key, head);
        }
        return true;
    }

    /** Whether an older version of an entry went, or is going, into a run. */
    private boolean wasSealed(long record, byte flags) {
        return (flags & SEALED) != 0 || RecordLayout.birth(record) != records.epochs.current();
    }

    /** Makes an entry one of that kind and value; false, without having done so, if the map is too large with it. */
    private boolean set(long place, EntryKey key, byte kind, byte[] value, int offset, int length) {
        int entryBytes = PackedGroup.entryBytes(key.mapKeyLength(), length);
        long head = heads.toChange(place, entryBytes);
        if (head == 0) {
            return false;
        }
        long before = packed.find(head, key);
        int values = (kind == TOMBSTONE ? 0 : 1) - (PackedRecords.isValue(before) ? 1 : 0);
        long base = packed.base(head);
        boolean isInBase = base != 0 && PackedGroup.find(base, key) != NONE;
        boolean wasDirty = before != 0 && (PackedGroup.flags(before) & DIRTY) != 0 && !isInBase;
        byte flags = (byte) (DIRTY | kind | (isInBase ? SEALED : 0));
        if (!PackedGroup.set(head, key, flags, value, offset, length)) {
            head = heads.enlarge(place, head, entryBytes);
            if (head == 0) {
                return false;
            }
            boolean done = PackedGroup.set(head, key, flags, value, offset, length);
            assert done;
        }
        PackedRecords.addValues(head, values);
        if (!wasDirty) {
            records.changedPacked(entryBytes);
        }
        return true;
    }

    /** Removes all entries of the map of the key, which addresses the group itself. */
    void clear(long head, EntryKey key) {
        boolean mayBeBelow = mayHaveTraces(head) || (!Groups.isComplete(head) && below.mayHoldGroup(key));
        long cleared = head;
        if (RecordLayout.birth(head) == records.epochs.current() && PackedGroup.older(head) == 0) {
            PackedGroup.empty(head);
            Memory.putInt(head + GROUP_VALUES, 0);
            RecordLayout.set(head, COMPLETE);
        } else {
            int epoch = Memory.getInt(head + GROUP_CLEARED);
            packed.drop(head);
            cleared = createEmpty(key);
            Memory.putInt(cleared + GROUP_CLEARED, epoch);
            RecordLayout.set(cleared, RecordLayout.SEALED);
        }
        if (mayBeBelow) {
            groups.bury(key, cleared);
        }
        groups.dropIfUseless(key, cleared);
    }

    /** Whether any entry may have left a trace in runs. */
    private boolean mayHaveTraces(long head) {
        if (PackedGroup.older(head) != 0) {
            return true;
        }
        for (int slot = PackedGroup.entries(head) - 1; slot >= 0; slot--) {
            byte flags = PackedGroup.flags(PackedGroup.entry(head, slot));
            if ((flags & TOMBSTONE) != 0 || wasSealed(head, flags)) {
                return true;
            }
        }
        return false;
    }
}
