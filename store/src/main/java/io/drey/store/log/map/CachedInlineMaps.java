package io.drey.store.log.map;

import static io.drey.store.log.map.InlineMap.FLUSHED;
import static io.drey.store.log.record.RecordLayout.COMPLETE;
import static io.drey.store.log.record.RecordLayout.LARGE;
import static io.drey.store.log.record.RecordLayout.ROW_KEY;
import static io.drey.store.log.record.RecordLayout.ROW_VALUES;

import io.drey.foundation.Memory;
import io.drey.store.cache.GhostList;
import io.drey.store.entry.EntryKey;
import io.drey.store.log.record.LogIndex;
import io.drey.store.log.record.LogPages;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/** Inline maps as a cache of what is in runs: keeping what was read, and moving or forgetting what is clean. */
final class CachedInlineMaps {
    private final Records records;
    private final InlineMapRecords inline;
    private final InlineMapDeltas deltas;

    CachedInlineMaps(Records records, InlineMapRecords inline, InlineMapDeltas deltas) {
        this.records = records;
        this.inline = inline;
        this.deltas = deltas;
    }

    /** Keeps a value that was read from runs in a new map. */
    void keepNew(EntryKey key, byte[] value, int offset, int length) {
        long delta = inline.create(LogPages.COPIES, key, (byte) 0, length);
        InlineMap.insert(delta, key, FLUSHED, value, offset, length);
        InlineMapRecords.addValues(delta, 1);
    }

    /**
     * Whether entries that a map lacks, of which several were asked for, may be added: it may be small and can grow.
     */
    boolean isIncomplete(long delta) {
        if (Rows.isComplete(delta) || RecordLayout.has(delta, LARGE)) {
            return false;
        }
        long base = inline.base(delta);
        long kept = base == 0 ? delta : base;
        return Rows.values(delta) > 1 && !records.epochs.isFrozen(RecordLayout.birth(kept));
    }

    /** Keeps a value that was read from runs, unless its entry is here; false if there is no room for it. */
    boolean keep(long place, EntryKey key, byte[] value, int offset, int length) {
        long delta = records.address(LogIndex.record(place));
        if (inline.find(delta, key) != 0) {
            return true;
        }
        return inline.fits(key, length) && add(place, delta, key, value, offset, length);
    }

    private boolean add(long place, long delta, EntryKey key, byte[] value, int offset, int length) {
        long base = inline.base(delta);
        long kept = base == 0 ? delta : base;
        int birth = RecordLayout.birth(kept);
        int entryBytes = InlineMap.entryBytes(key.mapKeyLength(), length);
        if (records.epochs.isFrozen(birth)) {
            return false;
        }
        if (!InlineMap.hasRoom(kept, entryBytes)) {
            kept = base == 0 ? deltas.enlarge(place, kept, entryBytes) : inline.enlargedInPlace(kept, entryBytes);
            if (kept == 0) {
                return false;
            }
        }
        InlineMap.insert(kept, key, FLUSHED, value, offset, length);
        InlineMapRecords.addValues(base == 0 ? kept : delta, 1);
        return true;
    }

    /**
     * All entries that can be seen turned out to be in memory; each may have left a trace in runs, see {@link
     * LinkedMaps}.
     */
    void complete(long delta) {
        RecordLayout.set(delta, COMPLETE);
        for (int slot = InlineMap.entries(delta) - 1; slot >= 0; slot--) {
            long entry = InlineMap.entry(delta, slot);
            InlineMap.flags(entry, (byte) (InlineMap.flags(entry) | FLUSHED));
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
            InlineMap.older(deltaOf(record), moved);
        }
        records.kill(record);
    }

    /** Forgets a clean record whose page goes, with its base, and notes its values. */
    void evict(long record, GhostList ghosts, int now) {
        note(record, ghosts, now);
        if (records.index.placeOf(RecordLayout.tag(record), records.pages.record(record)) == 0) {
            evictBase(record);
            return;
        }
        long base = inline.base(record);
        if (base != 0) {
            note(base, ghosts, now);
        }
        inline.drop(record);
    }

    private void evictBase(long base) {
        long delta = deltaOf(base);
        InlineMap.older(delta, 0);
        RecordLayout.unset(delta, COMPLETE);
        int values = 0;
        for (int slot = InlineMap.entries(delta) - 1; slot >= 0; slot--) {
            values += InlineMapRecords.isValue(InlineMap.entry(delta, slot)) ? 1 : 0;
        }
        Memory.putInt(delta + ROW_VALUES, values);
        records.kill(base);
    }

    /** The delta of a base. */
    private long deltaOf(long base) {
        int number = records.pages.record(base);
        int tag = RecordLayout.tag(base);
        for (long place = records.index.first(tag); place != 0; place = records.index.after(place, tag)) {
            long delta = records.address(LogIndex.record(place));
            if (RecordLayout.kind(delta) == RecordLayout.INLINE && InlineMap.older(delta) == number) {
                return delta;
            }
        }
        throw new IllegalStateException(
                "expected every inline map to be indexed or an indexed one's base, found neither");
    }

    private static void note(long record, GhostList ghosts, int now) {
        long hash = EntryKey.rowMemoryHash(record + ROW_KEY, RecordLayout.keyLength(record));
        for (int slot = InlineMap.entries(record) - 1; slot >= 0; slot--) {
            long entry = InlineMap.entry(record, slot);
            if (InlineMapRecords.isValue(entry)) {
                long entryHash =
                        EntryKey.mapEntryMemoryHash(hash, InlineMap.keyAddress(entry), InlineMap.keyLength(entry));
                ghosts.left(LogIndex.tag(entryHash, RecordLayout.table(record), RecordLayout.keyGroup(record)), now);
            }
        }
    }
}
