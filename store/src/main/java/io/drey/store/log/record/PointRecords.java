package io.drey.store.log.record;

import static io.drey.store.log.record.RecordLayout.COMPLETE;
import static io.drey.store.log.record.RecordLayout.COVERED;
import static io.drey.store.log.record.RecordLayout.FLUSHED;
import static io.drey.store.log.record.RecordLayout.OLDER;
import static io.drey.store.log.record.RecordLayout.OLDER_SAME_EPOCH;
import static io.drey.store.log.record.RecordLayout.VALUE_LENGTH;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.LargeLists;
import java.util.Arrays;

/**
 * Values and lists in the log.
 *
 * <p>A list grows by a chain of records, youngest first: each appends to the one that it names as older. A chain that
 * ends in a VALUE is complete: it is the whole list. Any other is the young end of a list whose rest is in runs, and of
 * it only records that are in no installed run yet count; older ones would count twice.
 */
public final class PointRecords {
    /** What {@link #read} found: nothing that counts; look below. */
    public static final int MISS = 0;

    /** The whole value. */
    public static final int FOUND = 1;

    /** That there is no value. */
    public static final int ABSENT = 2;

    /** Bytes to append to what is below. */
    public static final int PARTIAL = 3;

    private static final int GROWTH_BYTES_MIN = 32;

    /** A list is counted each time that so many records, less one, have been added to it. */
    private static final int COUNTED_MASK = 0xff;

    private final Records records;
    private final LowerLevels below;
    private final LargeLists lists;
    private int[] chain = new int[16];

    public PointRecords(Records records, LowerLevels below, LargeLists lists) {
        this.records = records;
        this.below = below;
        this.lists = lists;
    }

    /** Bytes of the record that a change of this key with that much value may need. */
    public int bytesFor(EntryKey key, int valueBytes) {
        return RecordLayout.padded(RecordLayout.POINT_KEY + key.bodyLength() + valueBytes);
    }

    public int read(EntryKey key, Bytes value) {
        long place = records.find(key);
        if (place == 0) {
            return records.tables.isWhole(key.table()) ? ABSENT : MISS;
        }
        long record = records.address(LogIndex.record(place));
        byte kind = RecordLayout.kind(record);
        if (kind == EntryKind.TOMBSTONE) {
            return ABSENT;
        }
        if (kind == EntryKind.VALUE) {
            records.referenced(record);
            value.append(RecordLayout.valueAddress(record), RecordLayout.valueLength(record));
            return FOUND;
        }
        return readChain(LogIndex.record(place), value);
    }

    private int readChain(int newest, Bytes value) {
        int length = collect(newest);
        boolean complete = isComplete(records.address(newest));
        int counted = complete ? length : countUnflushed(length);
        for (int i = counted - 1; i >= 0; i--) {
            long record = records.address(chain[i]);
            value.append(RecordLayout.valueAddress(record), RecordLayout.valueLength(record));
        }
        return complete ? FOUND : counted == 0 ? MISS : PARTIAL;
    }

    /** Collects a chain, youngest first, and returns its length. */
    private int collect(int newest) {
        int length = 0;
        for (int record = newest; record != 0; record = Memory.getInt(records.address(record) + OLDER)) {
            if (length == chain.length) {
                chain = Arrays.copyOf(chain, length * 2);
            }
            chain[length++] = record;
        }
        return length;
    }

    /** Whether the chain from this record on ends in a value, so that runs have nothing of it. */
    private static boolean isComplete(long newest) {
        return RecordLayout.kind(newest) == EntryKind.VALUE || RecordLayout.has(newest, COMPLETE);
    }

    private int countUnflushed(int length) {
        int count = 0;
        while (count < length && records.epochs.isDirty(RecordLayout.birth(records.address(chain[count])))) {
            count++;
        }
        return count;
    }

    public void put(EntryKey key, byte[] value, int offset, int length) {
        long place = records.find(key);
        if (place == 0) {
            int record = records.create(key, EntryKind.VALUE, (byte) 0, length);
            Records.writeValue(records.address(record), value, offset, length);
            records.index.add(Records.tag(key), record);
            return;
        }
        long record = change(key, place, EntryKind.VALUE, length);
        Records.writeValue(record, value, offset, length);
    }

    /** Keeps a value that was read from runs, of a key that is not in memory. */
    public void keep(EntryKey key, byte[] value, int offset, int length) {
        if (records.find(key) == 0) {
            int record = records.createCopy(key, (byte) 0, length);
            Records.writeValue(records.address(record), value, offset, length);
            records.index.add(Records.tag(key), record);
        }
    }

    public void delete(EntryKey key) {
        long place = records.find(key);
        if (place == 0) {
            if (below.mayHold(key)) {
                int record = records.create(key, EntryKind.TOMBSTONE, (byte) 0, 0);
                records.index.add(Records.tag(key), record);
            }
            return;
        }
        long record = records.address(LogIndex.record(place));
        if (RecordLayout.kind(record) == EntryKind.TOMBSTONE) {
            return;
        }
        if (records.wasFlushed(record) || below.mayHold(key)) {
            change(key, place, EntryKind.TOMBSTONE, 0);
        } else {
            records.index.remove(place);
            killOlder(record);
            records.kill(record);
        }
    }

    /** Makes the record at a place one of that kind with room for a value, in place if it can be; kills its chain. */
    private long change(EntryKey key, long place, byte kind, int valueBytes) {
        long record = records.address(LogIndex.record(place));
        if (records.isMutable(record) && RecordLayout.valueCapacity(record) >= valueBytes) {
            killOlder(record);
            records.renew(record);
            RecordLayout.unset(record, OLDER_SAME_EPOCH);
            Records.rewrite(record, kind);
            return record;
        }
        byte flags = records.wasFlushed(record) ? FLUSHED : 0;
        int changed = records.create(key, kind, flags, records.roomToGrow(record, valueBytes));
        LogIndex.replace(place, changed);
        killOlder(record);
        records.kill(record);
        return records.address(changed);
    }

    private void killOlder(long record) {
        int older = Memory.getInt(record + OLDER);
        if (older == 0) {
            return;
        }
        if (records.isMutable(record)) {
            Memory.putInt(record + OLDER, 0);
            RecordLayout.chain(record, 0);
        }
        for (int next = older; next != 0; ) {
            long address = records.address(next);
            next = Memory.getInt(address + OLDER);
            records.kill(address);
        }
    }

    public void append(EntryKey key, byte[] bytes, int offset, int length) {
        long place = records.find(key);
        if (place == 0) {
            byte kind = below.mayHold(key) ? EntryKind.APPEND : EntryKind.VALUE;
            int record = records.create(key, kind, (byte) 0, length);
            Records.writeValue(records.address(record), bytes, offset, length);
            records.index.add(Records.tag(key), record);
            return;
        }
        long record = records.address(LogIndex.record(place));
        if (RecordLayout.kind(record) == EntryKind.TOMBSTONE) {
            Records.writeValue(change(key, place, EntryKind.VALUE, length), bytes, offset, length);
        } else if (fits(record, length)) {
            int before = RecordLayout.valueLength(record);
            Memory.copy(bytes, offset, RecordLayout.valueAddress(record) + before, length);
            Memory.putInt(record + VALUE_LENGTH, before + length);
        } else {
            chain(key, place, bytes, offset, length);
        }
    }

    private boolean fits(long record, int length) {
        return RecordLayout.birth(record) == records.epochs.current()
                && RecordLayout.valueCapacity(record) - RecordLayout.valueLength(record) >= length;
    }

    private void chain(EntryKey key, long place, byte[] bytes, int offset, int length) {
        int olderRecord = LogIndex.record(place);
        long older = records.address(olderRecord);
        int room = roomToGrow(key, older, length);
        byte flags = records.wasFlushed(older) ? FLUSHED : 0;
        boolean complete = isComplete(older);
        // Incomplete, and all of it in installed runs: nothing of it counts.
        boolean useless = !complete && !records.epochs.isDirty(RecordLayout.birth(older));
        flags |= complete ? COMPLETE : 0;
        boolean sameEpoch = !useless && RecordLayout.birth(older) == records.epochs.current();
        if (sameEpoch) {
            flags |= OLDER_SAME_EPOCH;
            RecordLayout.set(older, COVERED);
        }
        int record = records.create(key, EntryKind.APPEND, flags, room);
        long address = records.address(record);
        Records.writeValue(address, bytes, offset, length);
        LogIndex.replace(place, record);
        if (useless) {
            killOlder(older);
            records.kill(older);
        } else {
            Memory.putInt(address + OLDER, olderRecord);
            int olderRecords = RecordLayout.chain(older) + 1;
            RecordLayout.chain(address, olderRecords);
            if ((olderRecords & COUNTED_MASK) == COUNTED_MASK && lists.isLarge(bytes(key))) {
                lists.seen(key);
            }
        }
    }

    /** Bytes of a list that are not in installed runs, or all of them if none is only there. */
    public long bytes(EntryKey key) {
        long place = records.find(key);
        int length = place == 0 ? 0 : collect(LogIndex.record(place));
        int counted = length == 0 || isComplete(records.address(chain[0])) ? length : countUnflushed(length);
        long bytes = 0;
        for (int i = 0; i < counted; i++) {
            bytes += RecordLayout.valueLength(records.address(chain[i]));
        }
        return bytes;
    }

    /** Whether a list, or that there is none, is known without asking runs. */
    public boolean isWhole(EntryKey key) {
        long place = records.find(key);
        if (place == 0) {
            return records.tables.isWhole(key.table());
        }
        long newest = records.address(LogIndex.record(place));
        return RecordLayout.kind(newest) == EntryKind.TOMBSTONE || isComplete(newest);
    }

    /** Room for the next appends, doubling, within what a prepared page surely holds. */
    private int roomToGrow(EntryKey key, long older, int length) {
        int wanted =
                Math.max(length, Math.max(GROWTH_BYTES_MIN, 2 * Math.min(1 << 20, RecordLayout.valueLength(older))));
        return Math.max(length, Math.min(wanted, records.roomToGrowMax(bytesFor(key, 0))));
    }

    /**
     * How many records have to be looked at to move one that is not frozen, and all others of its list in the same
     * page: none if the index names it, else those of its list.
     */
    public int movingSteps(long record) {
        long newest = records.address(LogIndex.record(newestPlace(record)));
        return newest == record ? 0 : RecordLayout.chain(newest);
    }

    /** The index place of the list that a record belongs to, or of its value: that of the same key. */
    private long newestPlace(long record) {
        int tag = RecordLayout.tag(record);
        for (long place = records.index.first(tag); place != 0; place = records.index.after(place, tag)) {
            long newest = records.address(LogIndex.record(place));
            if (newest == record || Records.isSamePoint(newest, record)) {
                return place;
            }
        }
        throw new IllegalStateException("expected every live record to be indexed, found one that is not");
    }

    /**
     * Moves a record that is not frozen to a younger page, in which there is room, and with it those of the same list
     * that are in its page.
     */
    public void move(long record) {
        long place = newestPlace(record);
        int newest = LogIndex.record(place);
        if (records.address(newest) == record) {
            LogIndex.replace(place, records.copy(record));
            records.kill(record);
            return;
        }
        long page = records.pages.pageOf(record);
        int length = collect(newest);
        for (int i = 1; i < length; i++) {
            long part = records.address(chain[i]);
            if (records.pages.pageOf(part) == page) {
                chain[i] = records.copy(part);
                Memory.putInt(records.address(chain[i - 1]) + OLDER, chain[i]);
                records.kill(part);
            }
        }
    }

    /** Forgets a clean record whose page goes; its list may stay only as far as it still counts without the page. */
    public void evict(long record) {
        long place = newestPlace(record);
        int newest = LogIndex.record(place);
        int length = collect(newest);
        long page = records.pages.pageOf(record);
        int at = 0;
        while (records.pages.pageOf(records.address(chain[at])) != page) {
            at++;
        }
        int counted = Math.min(at, countUnflushed(length));
        if (counted == 0) {
            records.index.remove(place);
        } else {
            // A frozen record is read by the flushing thread, which follows this link only within one epoch; what is
            // cut off here is clean, so it is of an older one.
            Memory.putInt(records.address(chain[counted - 1]) + OLDER, 0);
            RecordLayout.chain(records.address(newest), counted - 1);
            RecordLayout.unset(records.address(newest), COMPLETE);
        }
        for (int i = counted; i < length; i++) {
            records.kill(records.address(chain[i]));
        }
    }
}
