package io.drey.store.log.map;

import static io.drey.store.log.map.InlineMap.DIRTY;
import static io.drey.store.log.map.InlineMap.FLUSHED;
import static io.drey.store.log.map.InlineMap.NONE;
import static io.drey.store.log.map.InlineMap.TOMBSTONE;
import static io.drey.store.log.record.RecordLayout.COMPLETE;
import static io.drey.store.log.record.RecordLayout.ROW_CLEARED;
import static io.drey.store.log.record.RecordLayout.ROW_VALUES;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.log.record.LogIndex;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.LowerLevels;
import io.drey.store.log.record.PointRecords;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/**
 * Maps so small that one record holds them ({@link InlineMap}): one place in the index for all entries, which lie
 * together in order. A map that outgrows its record becomes a linked one ({@link LinkedMaps}).
 *
 * <p>The index names the <em>delta</em> of a map, which tells of the whole map whether it is complete and how many
 * values it has. When a large delta must not change, a small one for what changes is put before it, and it is the
 * <em>base</em> then, which no longer changes: so one change neither copies nor keeps in memory many entries that are
 * in runs already. A map has at most these two records, and the base is never younger. Once a base may change again it
 * takes in its delta.
 *
 * <p>Flags tell which entries of a record changed in the epoch of its birth: those are flushed with it.
 */
final class InlineMaps {
    private static final byte[] NO_VALUE = {};

    private final Records records;
    private final Rows rows;
    private final LowerLevels below;
    private final InlineMapRecords inline;
    private final InlineMapDeltas deltas;

    InlineMaps(Records records, Rows rows, LowerLevels below, InlineMapRecords inline, InlineMapDeltas deltas) {
        this.records = records;
        this.rows = rows;
        this.below = below;
        this.inline = inline;
        this.deltas = deltas;
    }

    /** {@link PointRecords#FOUND}, ABSENT or MISS. */
    int read(long delta, EntryKey key, Bytes value) {
        long entry = inline.find(delta, key);
        if (entry == 0) {
            return Rows.isComplete(delta) ? PointRecords.ABSENT : PointRecords.MISS;
        }
        if (!InlineMapRecords.isValue(entry)) {
            return PointRecords.ABSENT;
        }
        referenced(delta);
        value.append(InlineMap.valueAddress(entry), InlineMap.valueLength(entry));
        return PointRecords.FOUND;
    }

    private void referenced(long delta) {
        records.referenced(delta);
        long base = inline.base(delta);
        if (base != 0) {
            records.referenced(base);
        }
    }

    /** A new map with one entry, which {@link InlineMapRecords#fits}. */
    void create(EntryKey key, byte[] value, int offset, int length) {
        long delta = inline.create(LogPages.DATA, key, rows.flagsOfNew(key), length);
        InlineMap.insert(delta, key, DIRTY, value, offset, length);
        InlineMapRecords.addValues(delta, 1);
        records.changedInline(RecordLayout.bytes(delta));
    }

    /** A new map with a tombstone, which {@link InlineMapRecords#fits}. */
    void createBuried(EntryKey key) {
        long delta = inline.create(LogPages.DATA, key, rows.flagsOfNew(key), 0);
        InlineMap.insert(delta, key, (byte) (DIRTY | TOMBSTONE), NO_VALUE, 0, 0);
        records.changedInline(RecordLayout.bytes(delta));
    }

    /** A new, empty map that is known to have no entries. */
    long createEmpty(EntryKey key) {
        return inline.create(LogPages.DATA, key, COMPLETE, 0);
    }

    /** Sets a value; false, without having set it, if the map is too large with it. */
    boolean put(long place, EntryKey key, byte[] value, int offset, int length) {
        return inline.fits(key, length) && set(place, key, (byte) 0, value, offset, length);
    }

    /**
     * Whether an entry was removed or buried; false, with it still there, if the map is too large with its tombstone.
     */
    boolean delete(long place, EntryKey key) {
        long delta = records.address(LogIndex.record(place));
        int slot = InlineMap.find(delta, key);
        long entry = slot == NONE ? inline.findInBase(delta, key) : InlineMap.entry(delta, slot);
        if (entry == 0) {
            boolean mayBeBelow = !Rows.isComplete(delta) && below.mayHold(key);
            return !mayBeBelow || (inline.fits(key, 0) && set(place, key, TOMBSTONE, NO_VALUE, 0, 0));
        }
        if (!InlineMapRecords.isValue(entry)) {
            return true;
        }
        if (slot == NONE
                || wasFlushed(delta, InlineMap.flags(entry))
                || (!Rows.isComplete(delta) && below.mayHold(key))) {
            return set(place, key, TOMBSTONE, NO_VALUE, 0, 0);
        }
        InlineMap.remove(delta, slot);
        InlineMapRecords.addValues(delta, -1);
        if (InlineMap.older(delta) == 0) {
            rows.dropIfUseless(key, delta);
        }
        return true;
    }

    /** Whether an older version of an entry went, or is going, into a run. */
    private boolean wasFlushed(long record, byte flags) {
        return (flags & FLUSHED) != 0 || RecordLayout.birth(record) != records.epochs.current();
    }

    /** Makes an entry one of that kind and value; false, without having done so, if the map is too large with it. */
    private boolean set(long place, EntryKey key, byte kind, byte[] value, int offset, int length) {
        int entryBytes = InlineMap.entryBytes(key.mapKeyLength(), length);
        long delta = deltas.toChange(place, entryBytes);
        if (delta == 0) {
            return false;
        }
        int slot = InlineMap.find(delta, key);
        long older = inline.findInBase(delta, key);
        long before = slot == NONE ? older : InlineMap.entry(delta, slot);
        int values = (kind == TOMBSTONE ? 0 : 1) - (InlineMapRecords.isValue(before) ? 1 : 0);
        boolean wasDirty = slot != NONE && (InlineMap.flags(before) & DIRTY) != 0;
        byte flags = (byte) (DIRTY | kind | (older == 0 ? 0 : FLUSHED));
        if (!InlineMap.set(delta, key, flags, value, offset, length)) {
            delta = deltas.enlarge(place, delta, entryBytes);
            if (delta == 0) {
                return false;
            }
            boolean done = InlineMap.set(delta, key, flags, value, offset, length);
            assert done;
        }
        InlineMapRecords.addValues(delta, values);
        if (!wasDirty) {
            records.changedInline(entryBytes);
        }
        return true;
    }

    /** Removes all entries of the map of the key, which addresses the row itself. */
    void clear(long delta, EntryKey key) {
        boolean mayBeBelow = mayHaveTraces(delta) || (!Rows.isComplete(delta) && below.mayHoldRow(key));
        long cleared = delta;
        if (RecordLayout.birth(delta) == records.epochs.current() && InlineMap.older(delta) == 0) {
            InlineMap.empty(delta);
            Memory.putInt(delta + ROW_VALUES, 0);
            RecordLayout.set(delta, COMPLETE);
        } else {
            int epoch = Memory.getInt(delta + ROW_CLEARED);
            inline.drop(delta);
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
    private boolean mayHaveTraces(long delta) {
        if (InlineMap.older(delta) != 0) {
            return true;
        }
        for (int slot = InlineMap.entries(delta) - 1; slot >= 0; slot--) {
            byte flags = InlineMap.flags(InlineMap.entry(delta, slot));
            if ((flags & TOMBSTONE) != 0 || wasFlushed(delta, flags)) {
                return true;
            }
        }
        return false;
    }
}
