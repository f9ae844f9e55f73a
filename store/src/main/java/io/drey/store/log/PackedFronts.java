package io.drey.store.log;

import static io.drey.store.log.LogPages.COPIES;
import static io.drey.store.log.LogPages.DATA;
import static io.drey.store.log.PackedRow.DIRTY;
import static io.drey.store.log.PackedRow.FLUSHED;
import static io.drey.store.log.PackedRow.NONE;
import static io.drey.store.log.PackedRow.TOMBSTONE;
import static io.drey.store.log.RecordLayout.COMPLETE;
import static io.drey.store.log.RecordLayout.ROW_CLEARED;
import static io.drey.store.log.RecordLayout.ROW_KEY;
import static io.drey.store.log.RecordLayout.ROW_VALUES;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;

/**
 * Makes fronts of packed maps ones that may change and are of the current epoch: in place, as a copy, by putting a small one
 * before a large one, or by having a base take in its front. See {@link PackedMaps}.
 */
final class PackedFronts {
    /** A map up to this size, and this part of the most, is copied whole for a change if it must not change. */
    private static final int COPIED_BYTES_MAX = 128;

    private static final int COPIED_FRACTION = 2;

    /** A front that is larger than this part of a large base is taken in although pages are short, which makes old ones dirty. */
    private static final int TAKEN_IN_FRACTION = 4;

    /** A base is large from this part of the most on. */
    private static final int LARGE_FRACTION = 4;

    private final Records records;
    private final PackedRecords packed;
    private final PackedWalk walk = new PackedWalk();
    private final EntryKey foldKey = new EntryKey();
    private final Bytes foldBytes = new Bytes();
    private long folds;
    private long compactions;

    PackedFronts(Records records, PackedRecords packed) {
        this.records = records;
        this.packed = packed;
    }

    /** How often a base took in its front. */
    long folds() {
        return folds;
    }

    /** How often a front and its base were copied into one record. */
    long compactions() {
        return compactions;
    }

    /** The front, made one that may change and is of the current epoch; 0 if it would be too large. */
    long toChange(long place, int entryBytes) {
        long front = records.address(LogIndex.record(place));
        long base = packed.base(front);
        boolean isNew = RecordLayout.birth(front) == records.epochs.current();
        if (base != 0 && takesIn(base, front)) {
            return fold(place, front, base, entryBytes);
        }
        if (isNew) {
            return front;
        }
        if (base != 0) {
            return isWorthCompacting(front, base)
                    ? compaction(place, front, base, entryBytes)
                    : copy(DATA, place, front, entryBytes);
        }
        if (records.isMutable(front)) {
            renew(front);
            return front;
        }
        return RecordLayout.bytes(front) <= copiedMax()
                ? copy(DATA, place, front, entryBytes)
                : putFront(place, front, entryBytes);
    }

    private int copiedMax() {
        return Math.min(COPIED_BYTES_MAX, packed.bytesMax() / COPIED_FRACTION);
    }

    /** Whether a front that has to be copied makes one record with its base: it is the larger one, or both are small. */
    private boolean isWorthCompacting(long front, long base) {
        return RecordLayout.bytes(front) > RecordLayout.bytes(base)
                || PackedRow.liveBytes(front) + PackedRow.liveBytes(base) <= copiedMax();
    }

    /** Whether a base may change again, or has such a large front that it should although pages are short. */
    private boolean takesIn(long base, long front) {
        return records.isMutable(base)
                || (!records.epochs.isFrozen(RecordLayout.birth(base))
                        && RecordLayout.bytes(base) > packed.bytesMax() / LARGE_FRACTION
                        && RecordLayout.bytes(front) > RecordLayout.bytes(base) / TAKEN_IN_FRACTION);
    }

    /** Makes a mutable record one of the current epoch, in which nothing of it has changed yet. */
    private void renew(long record) {
        boolean complete = Rows.isComplete(record);
        for (int slot = PackedRow.entries(record) - 1; slot >= 0; slot--) {
            long entry = PackedRow.entry(record, slot);
            byte flags = PackedRow.flags(entry);
            if (complete && (flags & TOMBSTONE) != 0) {
                PackedRow.remove(record, slot);
            } else {
                PackedRow.flags(entry, agedFlags(flags));
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
        byte flags = PackedRow.flags(entry);
        return RecordLayout.birth(record) == records.epochs.current() ? flags : agedFlags(flags);
    }

    /** Whether an entry need not be remembered: it is gone, by a tombstone of an older epoch, and a complete map says so. */
    private static boolean isForgotten(boolean complete, byte flagsNow) {
        return complete && (flagsNow & (TOMBSTONE | DIRTY)) == TOMBSTONE;
    }

    /** Puts a new, empty front before one that becomes its base. */
    private long putFront(long place, long base, int entryBytes) {
        int bytes = packed.roomFor(base, 0, 0, entryBytes);
        assert bytes != 0;
        long front = packed.createLike(DATA, base, 1, bytes);
        PackedRow.older(front, records.pages.record(base));
        LogIndex.replace(place, records.pages.record(front));
        return front;
    }

    /** The base, which may change, takes in its front. */
    private long fold(long place, long front, long base, int entryBytes) {
        boolean complete = Rows.isComplete(front);
        if (complete) {
            RecordLayout.set(base, COMPLETE);
        } else {
            RecordLayout.unset(base, COMPLETE);
        }
        if (RecordLayout.birth(base) != records.epochs.current()) {
            renew(base);
        }
        foldBytes.clear();
        foldBytes.append(front + ROW_KEY, RecordLayout.keyLength(front));
        foldKey.rawRow(RecordLayout.table(front), RecordLayout.keyGroup(front), foldBytes);
        for (int slot = 0; slot < PackedRow.entries(front); slot++) {
            if (!foldIn(front, PackedRow.entry(front, slot), base, complete)) {
                return compaction(place, front, base, entryBytes);
            }
        }
        Memory.putInt(base + ROW_VALUES, Rows.values(front));
        Memory.putInt(base + ROW_CLEARED, Memory.getInt(front + ROW_CLEARED));
        LogIndex.replace(place, records.pages.record(base));
        records.kill(front);
        folds++;
        return base;
    }

    private boolean foldIn(long front, long entry, long base, boolean complete) {
        int keyLength = PackedRow.keyLength(entry);
        int valueLength = PackedRow.valueLength(entry);
        foldBytes.clear();
        foldBytes.append(PackedRow.keyAddress(entry), keyLength + valueLength);
        foldKey.mapKey(foldBytes.array(), 0, keyLength);
        byte flags = flagsNow(front, entry);
        if (!isForgotten(complete, flags)) {
            return PackedRow.set(base, foldKey, flags, foldBytes.array(), keyLength, valueLength);
        }
        int slot = PackedRow.find(base, foldKey);
        if (slot != NONE) {
            PackedRow.remove(base, slot);
        }
        return true;
    }

    /** Copies a front, whose base stays, with room for one more entry; 0, with nothing done, if it would be too large. */
    private long copy(int stream, long place, long front, int entryBytes) {
        long copied = copy(stream, place, front, 0, entryBytes);
        if (copied != 0) {
            PackedRow.older(copied, PackedRow.older(front));
            records.kill(front);
        }
        return copied;
    }

    /** Copies a front and its base into one record; 0, with nothing lost, if that would be too large. */
    private long compaction(long place, long front, long base, int entryBytes) {
        long compacted = copy(DATA, place, front, base, entryBytes);
        if (compacted != 0) {
            records.kill(front);
            records.kill(base);
            compactions++;
        }
        return compacted;
    }

    /** Copies what counts of a record, and of a base if that is not 0, into one that is new: of the current epoch, or clean. */
    private long copy(int stream, long place, long front, long base, int entryBytes) {
        // A tombstone of a front hides what its base has.
        boolean complete = Rows.isComplete(front) && (base != 0 || PackedRow.older(front) == 0);
        int entries = 0;
        int bytes = 0;
        walk.begin(front, 0, base, 0);
        while (walk.next()) {
            if (!isForgotten(complete, flagsNow(walk.record(), walk.entry()))) {
                entries++;
                bytes += PackedRow.bytes(walk.entry());
            }
        }
        int recordBytes = packed.roomFor(front, entries, bytes, entryBytes);
        if (recordBytes == 0) {
            return 0;
        }
        long copied = packed.createLike(stream, front, entries + 1, recordBytes);
        walk.begin(front, 0, base, 0);
        while (walk.next()) {
            byte flags = flagsNow(walk.record(), walk.entry());
            if (!isForgotten(complete, flags)) {
                PackedRow.append(copied, walk.record(), walk.slot(), flags);
            }
        }
        LogIndex.replace(place, records.pages.record(copied));
        return copied;
    }

    /** Makes room for one more entry in a front that is clean or of the current epoch; 0, with nothing done, if there is none. */
    long enlarge(long place, long front, int entryBytes) {
        long enlarged = packed.enlargedInPlace(front, entryBytes);
        if (enlarged != 0) {
            return enlarged;
        }
        boolean isDirty = records.epochs.isDirty(RecordLayout.birth(front));
        return copy(isDirty ? DATA : COPIES, place, front, entryBytes);
    }
}
