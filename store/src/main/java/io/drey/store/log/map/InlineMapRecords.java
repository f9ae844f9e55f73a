package io.drey.store.log.map;

import static io.drey.store.log.map.InlineMap.NONE;
import static io.drey.store.log.map.InlineMap.TOMBSTONE;
import static io.drey.store.log.record.RecordLayout.ROW_VALUES;

import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/** Records of inline maps by themselves: how large they may be, making, finding and enlarging them. */
final class InlineMapRecords {
    private static final int ENTRIES_MAX = 128;
    private static final int BYTES_MAX = 4 << 10;

    /** Of these parts of a page: so that all entries of a map that becomes linked fit one. */
    private static final int BYTES_FRACTION = 4;

    private static final int ENTRIES_FRACTION = 80;

    /** An entry larger than this part of the most is not inline. */
    private static final int ENTRY_FRACTION = 8;

    /** A record that needs more room gets so large a part more than it needs; a small one as much again. */
    private static final int GROWTH_FRACTION = 2;

    private static final int SMALL_BYTES_MAX = 512;

    private final Records records;
    private final Rows rows;
    private final int bytesMax;
    private final int entriesMax;

    InlineMapRecords(Records records, Rows rows) {
        this.records = records;
        this.rows = rows;
        this.bytesMax = Math.min(BYTES_MAX, records.pages.pageBytes() / BYTES_FRACTION);
        this.entriesMax = Math.min(ENTRIES_MAX, records.pages.pageBytes() / ENTRIES_FRACTION);
    }

    /** Most bytes of a record. */
    int bytesMax() {
        return bytesMax;
    }

    /** Most entries of a map. */
    int entriesMax() {
        return entriesMax;
    }

    /** Whether an entry is small enough for an inline map. */
    boolean fits(EntryKey key, int valueLength) {
        int keyLength = key.mapKeyLength();
        int entryBytes = InlineMap.entryBytes(keyLength, valueLength);
        return keyLength <= InlineMap.KEY_MAX
                && entryBytes <= bytesMax / ENTRY_FRACTION
                && InlineMap.bytesFor(key.rowLength(), InlineMap.SLOTS_STEP, entryBytes) <= bytesMax;
    }

    /** The base of a delta, or 0. */
    long base(long delta) {
        int older = InlineMap.older(delta);
        return older == 0 ? 0 : records.address(older);
    }

    /** The address of an entry of a map, the delta's if it has one, or 0. */
    long find(long delta, EntryKey key) {
        int slot = InlineMap.find(delta, key);
        return slot == NONE ? findInBase(delta, key) : InlineMap.entry(delta, slot);
    }

    /** The address of the entry that the base of a delta has, or 0. */
    long findInBase(long delta, EntryKey key) {
        long base = base(delta);
        int slot = base == 0 ? NONE : InlineMap.find(base, key);
        return slot == NONE ? 0 : InlineMap.entry(base, slot);
    }

    /** Whether there is an entry, and it has a value. */
    static boolean isValue(long entry) {
        return entry != 0 && (InlineMap.flags(entry) & TOMBSTONE) == 0;
    }

    /** A new map without entries, with room for that of the key if it addresses one. */
    long create(int stream, EntryKey key, byte flags, int valueLength) {
        int entryBytes = key.isMapEntry() ? InlineMap.entryBytes(key.mapKeyLength(), valueLength) : 0;
        int bytes = InlineMap.bytesFor(key.rowLength(), InlineMap.SLOTS_STEP, entryBytes);
        int record = records.createRow(stream, key, RecordLayout.INLINE, flags, bytes);
        long delta = records.address(record);
        InlineMap.format(delta, InlineMap.SLOTS_STEP);
        records.index.add(Records.rowTag(key), record);
        return delta;
    }

    /** A record with room for so many entries that stands for the same map; not indexed yet. */
    long createLike(int stream, long row, int entries, int bytes) {
        long created = records.address(records.createLike(stream, row, bytes));
        InlineMap.format(created, slotsFor(entries));
        return created;
    }

    /** Counts values of a map. */
    static void addValues(long delta, int by) {
        Memory.putInt(delta + ROW_VALUES, Rows.values(delta) + by);
    }

    /**
     * A record that is not frozen, with room made for one more entry where it is; 0, with nothing done, if that cannot
     * be.
     */
    long enlargedInPlace(long record, int entryBytes) {
        int moreSlots = InlineMap.slotsLacking(record);
        int more = InlineMap.bytesLacking(record, entryBytes, moreSlots);
        boolean isEnlarged = RecordLayout.bytes(record) + more <= bytesMax
                && InlineMap.entries(record) < entriesMax
                && (more == 0 || records.extend(record, more));
        if (isEnlarged && moreSlots > 0) {
            InlineMap.addSlots(record, moreSlots);
        }
        return isEnlarged ? record : 0;
    }

    /**
     * Bytes of a record for so many entries and one more, with some room to grow if the limits allow it; 0 if too
     * large.
     */
    int roomFor(long row, int entries, int liveBytes, int entryBytes) {
        int needed = liveBytes + entryBytes;
        int rowLength = RecordLayout.keyLength(row);
        int slots = slotsFor(entries + 1);
        int bytes = InlineMap.bytesFor(rowLength, slots, needed);
        if (entries >= entriesMax || bytes > bytesMax) {
            return 0;
        }
        int growth = needed <= SMALL_BYTES_MAX ? liveBytes : needed / GROWTH_FRACTION;
        return Math.min(InlineMap.bytesFor(rowLength, slots, needed + growth), bytesMax);
    }

    private static int slotsFor(int entries) {
        int step = InlineMap.SLOTS_STEP;
        return (entries + entries / GROWTH_FRACTION + step - 1) / step * step;
    }

    /** Drops a map, delta and base. */
    void drop(long delta) {
        long base = base(delta);
        if (base != 0) {
            records.kill(base);
        }
        rows.drop(delta);
    }
}
