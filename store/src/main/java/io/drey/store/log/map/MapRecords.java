package io.drey.store.log.map;

import static io.drey.store.log.record.RecordLayout.COMPLETE;

import io.drey.foundation.Bytes;
import io.drey.store.cache.GhostList;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.log.record.LogIndex;
import io.drey.store.log.record.LowerLevels;
import io.drey.store.log.record.PointRecords;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;
import java.util.Arrays;

/**
 * Maps in the log, each in one of two forms: inline in one record while it is small, linked with a record for each
 * entry from then on. This class finds which one a map has, and changes it.
 */
public final class MapRecords {
    private final Records records;
    private final Rows rows;
    private final LowerLevels below;
    private final InlineMapRecords inlineRecords;
    private final InlineMapDeltas deltas;
    private final CachedInlineMaps copies;
    private final InlineMaps inline;
    private final LinkedMaps linked;

    /** By table: whether the map found last was linked, so that the next one's entry is looked for first. */
    private boolean[] isLinkedLikely = new boolean[16];

    private boolean compresses = true;

    /** What {@link #locate} found: the places of the linked map's entry, if it has one, and of the map. */
    private long entryPlace;

    private long rowPlace;

    public MapRecords(Records records, LowerLevels below) {
        this.records = records;
        this.below = below;
        this.rows = new Rows(records, below);
        this.inlineRecords = new InlineMapRecords(records, rows);
        this.deltas = new InlineMapDeltas(records, inlineRecords);
        this.copies = new CachedInlineMaps(records, inlineRecords, deltas);
        this.inline = new InlineMaps(records, rows, below, inlineRecords, deltas);
        this.linked = new LinkedMaps(records, rows, below);
    }

    /** How often records of an inline map became one, by taking in or by copying. */
    public long joins() {
        return deltas.folds() + deltas.compactions();
    }

    /** How many inline maps became linked ones. */
    public long linked() {
        return linked.made();
    }

    /** Bytes of the record that a change of this entry with that much value may need, in the form that takes more. */
    public int bytesFor(EntryKey key, int valueBytes) {
        return RecordLayout.padded(RecordLayout.ENTRY_KEY + key.mapKeyLength() + valueBytes);
    }

    /** Bytes of a linked map's row record, and, a little more, of a row tombstone. */
    public int rowBytesFor(EntryKey key) {
        return RecordLayout.padded(RecordLayout.ROW_KEY + key.rowLength() + 1);
    }

    /**
     * Says whether maps that come from now on are inline: where all of the state may have room. Where it has not, of
     * most maps only an entry or two are here at a time, and a record for each takes less.
     */
    public void compress(boolean now) {
        compresses = now;
    }

    private boolean fits(EntryKey key, int valueLength) {
        return compresses && inlineRecords.fits(key, valueLength);
    }

    /** Finds the entry of a key, if the map is linked, else the map. */
    private void locate(EntryKey key) {
        entryPlace = 0;
        rowPlace = 0;
        int table = key.table();
        boolean entryFirst = table < isLinkedLikely.length && isLinkedLikely[table];
        if (entryFirst) {
            entryPlace = records.find(key);
            if (entryPlace != 0) {
                return;
            }
        }
        rowPlace = records.findRow(key);
        if (rowPlace == 0) {
            return;
        }
        boolean isLinked = !isInline(address(rowPlace));
        if (isLinked && !entryFirst) {
            entryPlace = records.find(key);
        }
        if (isLinked != entryFirst) {
            expect(table, isLinked);
        }
    }

    private void expect(int table, boolean isLinked) {
        if (table >= isLinkedLikely.length) {
            isLinkedLikely = Arrays.copyOf(isLinkedLikely, Math.max(table + 1, 2 * isLinkedLikely.length));
        }
        isLinkedLikely[table] = isLinked;
    }

    private long address(long place) {
        return records.address(LogIndex.record(place));
    }

    private static boolean isInline(long row) {
        return RecordLayout.kind(row) == RecordLayout.INLINE;
    }

    /** {@link PointRecords#FOUND}, ABSENT or MISS. */
    public int read(EntryKey key, Bytes value) {
        int found = readHere(key, value);
        return found == PointRecords.MISS && records.tables.isWhole(key.table()) ? PointRecords.ABSENT : found;
    }

    private int readHere(EntryKey key, Bytes value) {
        locate(key);
        if (entryPlace != 0) {
            return linked.read(address(entryPlace), value);
        }
        if (rowPlace == 0) {
            return PointRecords.MISS;
        }
        long row = address(rowPlace);
        if (isInline(row)) {
            return inline.read(row, key, value);
        }
        return Rows.isComplete(row) ? PointRecords.ABSENT : PointRecords.MISS;
    }

    /** Keeps a value that was read from runs, unless an inline map has its entry; false if there is no room for it. */
    public boolean keep(EntryKey key, byte[] value, int offset, int length) {
        long place = records.findRow(key);
        if (place != 0 && isInline(address(place))) {
            return copies.keep(place, key, value, offset, length);
        }
        assert records.find(key) == 0;
        if (place == 0 && fits(key, length)) {
            copies.keepNew(key, value, offset, length);
        } else {
            int row = place != 0 ? LogIndex.record(place) : linked.create(key, (byte) 0);
            linked.keep(row, key, value, offset, length);
        }
        return true;
    }

    /** Whether maps are inline, and pages are plenty. */
    public boolean hasRoomForMaps() {
        return compresses && records.arePagesPlenty();
    }

    /** See {@link CachedInlineMaps#isIncomplete}; false if the map is not inline. */
    public boolean isIncomplete(EntryKey key) {
        long row = row(key);
        return row != 0 && isInline(row) && copies.isIncomplete(row);
    }

    /** Most entries of a map that is worth loading. */
    public int loadedMax() {
        return inlineRecords.entriesMax();
    }

    /** The map of a key turned out to be too large to be read whole. */
    public void notLoaded(EntryKey key) {
        long row = row(key);
        if (row != 0) {
            RecordLayout.set(row, RecordLayout.LARGE);
        }
    }

    /** The address of the record that stands for the map of the key, or 0. */
    public long row(EntryKey key) {
        long place = records.findRow(key);
        return place == 0 ? 0 : address(place);
    }

    public void put(EntryKey key, byte[] value, int offset, int length) {
        locate(key);
        if (entryPlace != 0) {
            Records.writeValue(linked.change(entryPlace, key, EntryKind.VALUE, length), value, offset, length);
            return;
        }
        if (rowPlace == 0 && fits(key, length)) {
            inline.create(key, value, offset, length);
        } else if (rowPlace == 0 || !isInline(address(rowPlace))) {
            int row = rowPlace != 0 ? LogIndex.record(rowPlace) : linked.create(key, rows.flagsOfNew(key));
            Records.writeValue(linked.add(row, key, EntryKind.VALUE, length), value, offset, length);
        } else if (!inline.put(rowPlace, key, value, offset, length)) {
            link();
            put(key, value, offset, length);
        }
    }

    /** Makes the inline map that was located a linked one. */
    private void link() {
        long delta = address(rowPlace);
        linked.link(rowPlace, delta, inlineRecords.base(delta));
    }

    public void delete(EntryKey key) {
        locate(key);
        if (entryPlace != 0) {
            linked.delete(entryPlace, key);
        } else if (rowPlace != 0 && isInline(address(rowPlace))) {
            if (!inline.delete(rowPlace, key)) {
                link();
                delete(key);
            }
        } else if (!(rowPlace != 0 && Rows.isComplete(address(rowPlace))) && below.mayHold(key)) {
            bury(key);
        }
    }

    /** Writes a tombstone of an entry that is not in memory, in a linked map or one that is not in memory either. */
    private void bury(EntryKey key) {
        if (rowPlace == 0 && fits(key, 0)) {
            inline.createBuried(key);
            return;
        }
        int row = rowPlace != 0 ? LogIndex.record(rowPlace) : linked.create(key, rows.flagsOfNew(key));
        linked.add(row, key, EntryKind.TOMBSTONE, 0);
    }

    /** Removes all entries of the map of the key, which addresses the row itself. */
    public void clear(EntryKey key) {
        assert !key.isMapEntry();
        long row = row(key);
        if (row == 0) {
            if (below.mayHoldRow(key)) {
                rows.bury(key, createEmpty(key));
            }
        } else if (isInline(row)) {
            inline.clear(row, key);
        } else {
            linked.clear(row, key);
        }
    }

    private long createEmpty(EntryKey key) {
        return fits(key, 0) ? inline.createEmpty(key) : records.address(linked.create(key, COMPLETE));
    }

    /** Drops clean tombstones that are not worth looking for. */
    public void trim(long row) {
        if (!isInline(row)) {
            linked.trim(row);
        }
    }

    /** All entries that can be seen turned out to be in memory. */
    public void complete(long row) {
        if (isInline(row)) {
            copies.complete(row);
        } else {
            linked.complete(row);
        }
    }

    /** Forgets a clean entry of a linked map, or a clean map, whose page goes. */
    public void evict(long record, GhostList ghosts, int now) {
        if (isInline(record)) {
            copies.evict(record, ghosts, now);
        } else if (RecordLayout.isRow(record)) {
            linked.evictRow(record);
        } else {
            linked.evict(record);
        }
    }

    /** Moves an entry or map that is not frozen to a younger page, in which there is room. */
    public void move(long record) {
        if (isInline(record)) {
            copies.move(record);
        } else {
            linked.move(record);
        }
    }

    /** Moves the row record of a linked map to a younger page, in which there is room, if that is worth it. */
    public boolean moveRow(long row) {
        boolean moves = LinkedMaps.hasEntries(row);
        if (moves) {
            linked.moveRow(row);
        }
        return moves;
    }

    /** Whether the row record of a linked map can go. */
    public boolean isEvictable(long row) {
        return linked.isEvictable(row);
    }

    /** Drops what is in memory of an entry that came to be below, or of a whole map; all of it is clean. */
    public void forget(EntryKey key, GhostList ghosts, int now) {
        long row = row(key);
        if (row == 0) {
            return;
        }
        if (isInline(row) || !key.isMapEntry()) {
            evict(row, ghosts, now);
            return;
        }
        RecordLayout.unset(row, COMPLETE);
        long place = records.find(key);
        if (place != 0) {
            linked.evict(address(place));
        }
    }
}
