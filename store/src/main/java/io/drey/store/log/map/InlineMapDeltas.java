package io.drey.store.log.map;

import static io.drey.store.log.map.InlineMap.DIRTY;
import static io.drey.store.log.map.InlineMap.FLUSHED;
import static io.drey.store.log.map.InlineMap.NONE;
import static io.drey.store.log.map.InlineMap.TOMBSTONE;
import static io.drey.store.log.record.LogPages.COPIES;
import static io.drey.store.log.record.LogPages.DATA;
import static io.drey.store.log.record.RecordLayout.COMPLETE;
import static io.drey.store.log.record.RecordLayout.ROW_CLEARED;
import static io.drey.store.log.record.RecordLayout.ROW_KEY;
import static io.drey.store.log.record.RecordLayout.ROW_VALUES;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.log.record.LogIndex;
import io.drey.store.log.record.RecordLayout;
import io.drey.store.log.record.Records;

/**
 * Makes deltas of inline maps ones that may change and are of the current epoch: in place, as a copy, by putting a
 * small one before a large one, or by having a base take in its delta. See {@link InlineMaps}.
 */
final class InlineMapDeltas {
    /** A map up to this size, and this part of the most, is copied whole for a change if it must not change. */
    private static final int COPIED_BYTES_MAX = 128;

    private static final int COPIED_FRACTION = 2;

    /**
     * A delta that is larger than this part of a large base is taken in although pages are short, which makes old ones
     * dirty.
     */
    private static final int TAKEN_IN_FRACTION = 4;

    /** A base is large from this part of the most on. */
    private static final int LARGE_FRACTION = 4;

    private final Records records;
    private final InlineMapRecords inline;
    private final InlineMapCursor walk = new InlineMapCursor();
    private final EntryKey foldKey = new EntryKey();
    private final Bytes foldBytes = new Bytes();
    private long folds;
    private long compactions;

    InlineMapDeltas(Records records, InlineMapRecords inline) {
        this.records = records;
        this.inline = inline;
    }

    /** How often a base took in its delta. */
    long folds() {
        return folds;
    }

    /** How often a delta and its base were copied into one record. */
    long compactions() {
        return compactions;
    }

    /** The delta, made one that may change and is of the current epoch; 0 if it would be too large. */
    long toChange(long place, int entryBytes) {
        long delta = records.address(LogIndex.record(place));
        long base = inline.base(delta);
        boolean isNew = RecordLayout.birth(delta) == records.epochs.current();
        if (base != 0 && takesIn(base, delta)) {
            return fold(place, delta, base, entryBytes);
        }
        if (isNew) {
            return delta;
        }
        if (base != 0) {
            return isWorthCompacting(delta, base)
                    ? compaction(place, delta, base, entryBytes)
                    : copy(DATA, place, delta, entryBytes);
        }
        if (records.isMutable(delta)) {
            renew(delta);
            return delta;
        }
        return RecordLayout.bytes(delta) <= copiedMax()
                ? copy(DATA, place, delta, entryBytes)
                : putDelta(place, delta, entryBytes);
    }

    private int copiedMax() {
        return Math.min(COPIED_BYTES_MAX, inline.bytesMax() / COPIED_FRACTION);
    }

    /**
     * Whether a delta that has to be copied makes one record with its base: it is the larger one, or both are small.
     */
    private boolean isWorthCompacting(long delta, long base) {
        return RecordLayout.bytes(delta) > RecordLayout.bytes(base)
                || InlineMap.liveBytes(delta) + InlineMap.liveBytes(base) <= copiedMax();
    }

    /** Whether a base may change again, or has such a large delta that it should although pages are short. */
    private boolean takesIn(long base, long delta) {
        return records.isMutable(base)
                || (!records.epochs.isFrozen(RecordLayout.birth(base))
                        && RecordLayout.bytes(base) > inline.bytesMax() / LARGE_FRACTION
                        && RecordLayout.bytes(delta) > RecordLayout.bytes(base) / TAKEN_IN_FRACTION);
    }

    /** Makes a mutable record one of the current epoch, in which nothing of it has changed yet. */
    private void renew(long record) {
        boolean complete = Rows.isComplete(record);
        for (int slot = InlineMap.entries(record) - 1; slot >= 0; slot--) {
            long entry = InlineMap.entry(record, slot);
            byte flags = InlineMap.flags(entry);
            if (complete && (flags & TOMBSTONE) != 0) {
                InlineMap.remove(record, slot);
            } else {
                InlineMap.flags(entry, agedFlags(flags));
            }
        }
        records.renew(record);
    }

    /** The flags of an entry in an epoch after the one of its last change. */
    static byte agedFlags(byte flags) {
        return (byte) ((flags & TOMBSTONE) | FLUSHED);
    }

    /** The flags that an entry of a record has in one of the current epoch. */
    private byte flagsNow(long record, long entry) {
        byte flags = InlineMap.flags(entry);
        return RecordLayout.birth(record) == records.epochs.current() ? flags : agedFlags(flags);
    }

    /**
     * Whether an entry need not be remembered: it is gone, by a tombstone of an older epoch, and a complete map says
     * so.
     */
    private static boolean isForgotten(boolean complete, byte flagsNow) {
        return complete && (flagsNow & (TOMBSTONE | DIRTY)) == TOMBSTONE;
    }

    /** Puts a new, empty delta before one that becomes its base. */
    private long putDelta(long place, long base, int entryBytes) {
        int bytes = inline.roomFor(base, 0, 0, entryBytes);
        assert bytes != 0;
        long delta = inline.createLike(DATA, base, 1, bytes);
        InlineMap.older(delta, records.pages.record(base));
        LogIndex.replace(place, records.pages.record(delta));
        return delta;
    }

    /** The base, which may change, takes in its delta. */
    private long fold(long place, long delta, long base, int entryBytes) {
        boolean complete = Rows.isComplete(delta);
        if (complete) {
            RecordLayout.set(base, COMPLETE);
        } else {
            RecordLayout.unset(base, COMPLETE);
        }
        if (RecordLayout.birth(base) != records.epochs.current()) {
            renew(base);
        }
        foldBytes.clear();
        foldBytes.append(delta + ROW_KEY, RecordLayout.keyLength(delta));
        foldKey.rawRow(RecordLayout.table(delta), RecordLayout.keyGroup(delta), foldBytes);
        for (int slot = 0; slot < InlineMap.entries(delta); slot++) {
            if (!foldIn(delta, InlineMap.entry(delta, slot), base, complete)) {
                return compaction(place, delta, base, entryBytes);
            }
        }
        Memory.putInt(base + ROW_VALUES, Rows.values(delta));
        Memory.putInt(base + ROW_CLEARED, Memory.getInt(delta + ROW_CLEARED));
        LogIndex.replace(place, records.pages.record(base));
        records.kill(delta);
        folds++;
        return base;
    }

    private boolean foldIn(long delta, long entry, long base, boolean complete) {
        int keyLength = InlineMap.keyLength(entry);
        int valueLength = InlineMap.valueLength(entry);
        foldBytes.clear();
        foldBytes.append(InlineMap.keyAddress(entry), keyLength + valueLength);
        foldKey.mapKey(foldBytes.array(), 0, keyLength);
        byte flags = flagsNow(delta, entry);
        if (!isForgotten(complete, flags)) {
            return InlineMap.set(base, foldKey, flags, foldBytes.array(), keyLength, valueLength);
        }
        int slot = InlineMap.find(base, foldKey);
        if (slot != NONE) {
            InlineMap.remove(base, slot);
        }
        return true;
    }

    /**
     * Copies a delta, whose base stays, with room for one more entry; 0, with nothing done, if it would be too large.
     */
    private long copy(int stream, long place, long delta, int entryBytes) {
        long copied = copy(stream, place, delta, 0, entryBytes);
        if (copied != 0) {
            InlineMap.older(copied, InlineMap.older(delta));
            records.kill(delta);
        }
        return copied;
    }

    /** Copies a delta and its base into one record; 0, with nothing lost, if that would be too large. */
    private long compaction(long place, long delta, long base, int entryBytes) {
        long compacted = copy(DATA, place, delta, base, entryBytes);
        if (compacted != 0) {
            records.kill(delta);
            records.kill(base);
            compactions++;
        }
        return compacted;
    }

    /**
     * Copies what counts of a record, and of a base if that is not 0, into one that is new: of the current epoch, or
     * clean.
     */
    private long copy(int stream, long place, long delta, long base, int entryBytes) {
        // A tombstone of a delta hides what its base has.
        boolean complete = Rows.isComplete(delta) && (base != 0 || InlineMap.older(delta) == 0);
        int entries = 0;
        int bytes = 0;
        walk.begin(delta, 0, base, 0);
        while (walk.next()) {
            if (!isForgotten(complete, flagsNow(walk.record(), walk.entry()))) {
                entries++;
                bytes += InlineMap.bytes(walk.entry());
            }
        }
        int recordBytes = inline.roomFor(delta, entries, bytes, entryBytes);
        if (recordBytes == 0) {
            return 0;
        }
        long copied = inline.createLike(stream, delta, entries + 1, recordBytes);
        walk.begin(delta, 0, base, 0);
        while (walk.next()) {
            byte flags = flagsNow(walk.record(), walk.entry());
            if (!isForgotten(complete, flags)) {
                InlineMap.append(copied, walk.record(), walk.slot(), flags);
            }
        }
        LogIndex.replace(place, records.pages.record(copied));
        return copied;
    }

    /**
     * Makes room for one more entry in a delta that is clean or of the current epoch; 0, with nothing done, if there is
     * none.
     */
    long enlarge(long place, long delta, int entryBytes) {
        long enlarged = inline.enlargedInPlace(delta, entryBytes);
        if (enlarged != 0) {
            return enlarged;
        }
        boolean isDirty = records.epochs.isDirty(RecordLayout.birth(delta));
        return copy(isDirty ? DATA : COPIES, place, delta, entryBytes);
    }
}
