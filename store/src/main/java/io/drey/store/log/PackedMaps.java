package io.drey.store.log;

import static io.drey.store.log.PackedRow.DIRTY;
import static io.drey.store.log.PackedRow.FLUSHED;
import static io.drey.store.log.PackedRow.NONE;
import static io.drey.store.log.PackedRow.TOMBSTONE;
import static io.drey.store.log.RecordLayout.COMPLETE;
import static io.drey.store.log.RecordLayout.ROW_CLEARED;
import static io.drey.store.log.RecordLayout.ROW_VALUES;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;

/**
 * Maps so small that one record holds them ({@link PackedRow}): one place in the index for all entries, which lie
 * together in order. A map that outgrows its record becomes a spread one ({@link SpreadMaps}).
 *
 * <p>The index names the <em>front</em> of a map, which tells of the whole map whether it is complete and how many values it
 * has. When a large front must not change, a small one for what changes is put before it, and it is the <em>base</em> then,
 * which no longer changes: so one change neither copies nor keeps in memory many entries that are in runs already. A map
 * has at most these two records, and the base is never younger. Once a base may change again it takes in its front.
 *
 * <p>Flags tell which entries of a record changed in the epoch of its birth: those are flushed with it.
 */
final class PackedMaps {
    private static final byte[] NO_VALUE = {};

    private final Records records;
    private final Rows rows;
    private final Below below;
    private final PackedRecords packed;
    private final PackedFronts fronts;

    PackedMaps(Records records, Rows rows, Below below, PackedRecords packed, PackedFronts fronts) {
        this.records = records;
        this.rows = rows;
        this.below = below;
        this.packed = packed;
        this.fronts = fronts;
    }

    /** {@link PointRecords#FOUND}, ABSENT or MISS. */
    int read(long front, EntryKey key, Bytes value) {
        long entry = packed.find(front, key);
        if (entry == 0) {
            return Rows.isComplete(front) ? PointRecords.ABSENT : PointRecords.MISS;
        }
        if (!PackedRecords.isValue(entry)) {
            return PointRecords.ABSENT;
        }
        referenced(front);
        value.append(PackedRow.valueAddress(entry), PackedRow.valueLength(entry));
        return PointRecords.FOUND;
    }

    private void referenced(long front) {
        records.referenced(front);
        long base = packed.base(front);
        if (base != 0) {
            records.referenced(base);
        }
    }

    /** A new map with one entry, which {@link PackedRecords#fits}. */
    void create(EntryKey key, byte[] value, int offset, int length) {
        long front = packed.create(LogPages.DATA, key, rows.flagsOfNew(key), length);
        PackedRow.insert(front, key, DIRTY, value, offset, length);
        PackedRecords.addValues(front, 1);
        records.changedPacked(RecordLayout.bytes(front));
    }

    /** A new map with a tombstone, which {@link PackedRecords#fits}. */
    void createBuried(EntryKey key) {
        long front = packed.create(LogPages.DATA, key, rows.flagsOfNew(key), 0);
        PackedRow.insert(front, key, (byte) (DIRTY | TOMBSTONE), NO_VALUE, 0, 0);
        records.changedPacked(RecordLayout.bytes(front));
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
        long front = records.address(LogIndex.record(place));
        int slot = PackedRow.find(front, key);
        long entry = slot == NONE ? packed.findInBase(front, key) : PackedRow.entry(front, slot);
        if (entry == 0) {
            boolean mayBeBelow = !Rows.isComplete(front) && below.mayHold(key);
            return !mayBeBelow || (packed.fits(key, 0) && set(place, key, TOMBSTONE, NO_VALUE, 0, 0));
        }
        if (!PackedRecords.isValue(entry)) {
            return true;
        }
        if (slot == NONE
                || wasFlushed(front, PackedRow.flags(entry))
                || (!Rows.isComplete(front) && below.mayHold(key))) {
            return set(place, key, TOMBSTONE, NO_VALUE, 0, 0);
        }
        PackedRow.remove(front, slot);
        PackedRecords.addValues(front, -1);
        if (PackedRow.older(front) == 0) {
            rows.dropIfUseless(key, front);
        }
        return true;
    }

    /** Whether an older version of an entry went, or is going, into a run. */
    private boolean wasFlushed(long record, byte flags) {
        return (flags & FLUSHED) != 0 || RecordLayout.birth(record) != records.epochs.current();
    }

    /** Makes an entry one of that kind and value; false, without having done so, if the map is too large with it. */
    private boolean set(long place, EntryKey key, byte kind, byte[] value, int offset, int length) {
        int entryBytes = PackedRow.entryBytes(key.mapKeyLength(), length);
        long front = fronts.toChange(place, entryBytes);
        if (front == 0) {
            return false;
        }
        int slot = PackedRow.find(front, key);
        long older = packed.findInBase(front, key);
        long before = slot == NONE ? older : PackedRow.entry(front, slot);
        int values = (kind == TOMBSTONE ? 0 : 1) - (PackedRecords.isValue(before) ? 1 : 0);
        boolean wasDirty = slot != NONE && (PackedRow.flags(before) & DIRTY) != 0;
        byte flags = (byte) (DIRTY | kind | (older == 0 ? 0 : FLUSHED));
        if (!PackedRow.set(front, key, flags, value, offset, length)) {
            front = fronts.enlarge(place, front, entryBytes);
            if (front == 0) {
                return false;
            }
            boolean done = PackedRow.set(front, key, flags, value, offset, length);
            assert done;
        }
        PackedRecords.addValues(front, values);
        if (!wasDirty) {
            records.changedPacked(entryBytes);
        }
        return true;
    }

    /** Removes all entries of the map of the key, which addresses the row itself. */
    void clear(long front, EntryKey key) {
        boolean mayBeBelow = mayHaveTraces(front) || (!Rows.isComplete(front) && below.mayHoldRow(key));
        long cleared = front;
        if (RecordLayout.birth(front) == records.epochs.current() && PackedRow.older(front) == 0) {
            PackedRow.empty(front);
            Memory.putInt(front + ROW_VALUES, 0);
            RecordLayout.set(front, COMPLETE);
        } else {
            int epoch = Memory.getInt(front + ROW_CLEARED);
            packed.drop(front);
            cleared = createEmpty(key);
            Memory.putInt(cleared + ROW_CLEARED, epoch);
            RecordLayout.set(cleared, RecordLayout.FLUSHED);
        }
        if (mayBeBelow) {
            rows.bury(key, cleared);
        }
        rows.dropIfUseless(key, cleared);
    }

    /** Whether any entry may have left a trace in runs. */
    private boolean mayHaveTraces(long front) {
        if (PackedRow.older(front) != 0) {
            return true;
        }
        for (int slot = PackedRow.entries(front) - 1; slot >= 0; slot--) {
            byte flags = PackedRow.flags(PackedRow.entry(front, slot));
            if ((flags & TOMBSTONE) != 0 || wasFlushed(front, flags)) {
                return true;
            }
        }
        return false;
    }
}
