package io.drey.store.log;

import static io.drey.store.log.PackedRow.FLUSHED;
import static io.drey.store.log.RecordLayout.COMPLETE;
import static io.drey.store.log.RecordLayout.LARGE;
import static io.drey.store.log.RecordLayout.ROW_KEY;
import static io.drey.store.log.RecordLayout.ROW_VALUES;

import io.drey.foundation.Memory;
import io.drey.store.cache.Ghosts;
import io.drey.store.entry.EntryKey;

/** Packed maps as a cache of what is in runs: keeping what was read, and moving or forgetting what is clean. */
final class PackedCopies {
    private final Records records;
    private final PackedRecords packed;
    private final PackedFronts fronts;

    PackedCopies(Records records, PackedRecords packed, PackedFronts fronts) {
        this.records = records;
        this.packed = packed;
        this.fronts = fronts;
    }

    /** Keeps a value that was read from runs in a new map. */
    void keepNew(EntryKey key, byte[] value, int offset, int length) {
        long front = packed.create(LogPages.COPIES, key, (byte) 0, length);
        PackedRow.insert(front, key, FLUSHED, value, offset, length);
        PackedRecords.addValues(front, 1);
    }

    /** Whether entries that a map lacks, of which several were asked for, may be added: it may be small and can grow. */
    boolean isIncomplete(long front) {
        if (Rows.isComplete(front) || RecordLayout.has(front, LARGE)) {
            return false;
        }
        long base = packed.base(front);
        long kept = base == 0 ? front : base;
        return Rows.values(front) > 1 && !records.epochs.isFrozen(RecordLayout.birth(kept));
    }

    /** Keeps a value that was read from runs, unless its entry is here; false if there is no room for it. */
    boolean keep(long place, EntryKey key, byte[] value, int offset, int length) {
        long front = records.address(LogIndex.record(place));
        if (packed.find(front, key) != 0) {
            return true;
        }
        return packed.fits(key, length) && add(place, front, key, value, offset, length);
    }

    private boolean add(long place, long front, EntryKey key, byte[] value, int offset, int length) {
        long base = packed.base(front);
        long kept = base == 0 ? front : base;
        int birth = RecordLayout.birth(kept);
        int entryBytes = PackedRow.entryBytes(key.mapKeyLength(), length);
        if (records.epochs.isFrozen(birth)) {
            return false;
        }
        if (!PackedRow.hasRoom(kept, entryBytes)) {
            kept = base == 0 ? fronts.enlarge(place, kept, entryBytes) : packed.enlargedInPlace(kept, entryBytes);
            if (kept == 0) {
                return false;
            }
        }
        PackedRow.insert(kept, key, FLUSHED, value, offset, length);
        PackedRecords.addValues(base == 0 ? kept : front, 1);
        return true;
    }

    /** All entries that can be seen turned out to be in memory; each may have left a trace in runs, see {@link SpreadMaps}. */
    void complete(long front) {
        RecordLayout.set(front, COMPLETE);
        for (int slot = PackedRow.entries(front) - 1; slot >= 0; slot--) {
            long entry = PackedRow.entry(front, slot);
            PackedRow.flags(entry, (byte) (PackedRow.flags(entry) | FLUSHED));
        }
    }

    /** Moves a record that is not frozen to a younger page, in which there is room. */
    void move(long record) {
        int number = records.pages.record(record);
        long place = records.index.placeOf(RecordLayout.tag(record), number);
        int moved = records.copy(record);
        if (place != 0) {
            LogIndex.replace(place, moved);
        } else {
            PackedRow.older(frontOf(record), moved);
        }
        records.kill(record);
    }

    /** Forgets a clean record whose page goes, with its base, and notes its values. */
    void evict(long record, Ghosts ghosts, int now) {
        note(record, ghosts, now);
        if (records.index.placeOf(RecordLayout.tag(record), records.pages.record(record)) == 0) {
            evictBase(record);
            return;
        }
        long base = packed.base(record);
        if (base != 0) {
            note(base, ghosts, now);
        }
        packed.drop(record);
    }

    private void evictBase(long base) {
        long front = frontOf(base);
        PackedRow.older(front, 0);
        RecordLayout.unset(front, COMPLETE);
        int values = 0;
        for (int slot = PackedRow.entries(front) - 1; slot >= 0; slot--) {
            values += PackedRecords.isValue(PackedRow.entry(front, slot)) ? 1 : 0;
        }
        Memory.putInt(front + ROW_VALUES, values);
        records.kill(base);
    }

    /** The front of a base. */
    private long frontOf(long base) {
        int number = records.pages.record(base);
        int tag = RecordLayout.tag(base);
        for (long place = records.index.first(tag); place != 0; place = records.index.after(place, tag)) {
            long front = records.address(LogIndex.record(place));
            if (RecordLayout.kind(front) == RecordLayout.PACKED && PackedRow.older(front) == number) {
                return front;
            }
        }
        throw new IllegalStateException(
                "expected every packed map to be indexed or an indexed one's base, found neither");
    }

    private static void note(long record, Ghosts ghosts, int now) {
        long hash = EntryKey.rowHash(record + ROW_KEY, RecordLayout.keyLength(record));
        for (int slot = PackedRow.entries(record) - 1; slot >= 0; slot--) {
            long entry = PackedRow.entry(record, slot);
            if (PackedRecords.isValue(entry)) {
                long entryHash = EntryKey.mapEntryHash(hash, PackedRow.keyAddress(entry), PackedRow.keyLength(entry));
                ghosts.left(LogIndex.tag(entryHash, RecordLayout.table(record), RecordLayout.keyGroup(record)), now);
            }
        }
    }
}
