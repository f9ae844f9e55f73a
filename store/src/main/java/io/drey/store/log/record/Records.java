package io.drey.store.log.record;

import static io.drey.store.log.record.RecordLayout.BIRTH;
import static io.drey.store.log.record.RecordLayout.DEATH;
import static io.drey.store.log.record.RecordLayout.ENTRY_ROW;
import static io.drey.store.log.record.RecordLayout.FLAGS;
import static io.drey.store.log.record.RecordLayout.FLUSHED;
import static io.drey.store.log.record.RecordLayout.KEY_GROUP;
import static io.drey.store.log.record.RecordLayout.KEY_LENGTH;
import static io.drey.store.log.record.RecordLayout.KIND;
import static io.drey.store.log.record.RecordLayout.LENGTH;
import static io.drey.store.log.record.RecordLayout.MAP_ENTRY;
import static io.drey.store.log.record.RecordLayout.OLDER;
import static io.drey.store.log.record.RecordLayout.REFERENCED;
import static io.drey.store.log.record.RecordLayout.ROW_KEY;
import static io.drey.store.log.record.RecordLayout.TABLE;
import static io.drey.store.log.record.RecordLayout.TAG;
import static io.drey.store.log.record.RecordLayout.UNIT;
import static io.drey.store.log.record.RecordLayout.VALUE_LENGTH;

import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.log.map.MapRecords;

/**
 * Records by themselves: writing, finding, changing and killing one, with the counts that follow from it. What a record
 * means for a list or a map is the business of {@link PointRecords} and {@link MapRecords}. One thread.
 */
public final class Records {
    /** A value that grows gets room for this part more. */
    private static final int GROWTH_FRACTION = 4;

    /** But no more room than this part of a page. */
    private static final int GROWN_FRACTION_MAX = 4;

    public final LogPages pages;
    public final LogIndex index;
    public final Epochs epochs;
    public final ResidentTables tables = new ResidentTables();
    private long dirtyBytes;
    private int dirtyRecords;

    /** Those of {@link #dirtyBytes} that are inline maps, and what changed in these or in ones that are dead by now. */
    private long inlineBytes;

    private long inlineChanged;

    /** Those of {@link #dirtyBytes} that are entries of linked maps. */
    private long linkedBytes;

    /** Bytes of records made in the current epoch, dead ones too. */
    private long writtenBytes;

    private boolean evicting;

    public Records(LogPages pages, LogIndex index, Epochs epochs) {
        this.pages = pages;
        this.index = index;
        this.epochs = epochs;
    }

    /** Bytes of live records of the current epoch. */
    public long dirtyBytes() {
        return dirtyBytes;
    }

    /** Of {@link #dirtyBytes} those that changed in the epoch, at most: inline maps also hold entries that did not. */
    public long changedBytes() {
        return dirtyBytes - inlineBytes + Math.min(inlineBytes, inlineChanged);
    }

    /** Of {@link #dirtyBytes} those that are entries of linked maps. */
    public long linkedBytes() {
        return linkedBytes;
    }

    /** So many bytes in an inline map of the current epoch changed. */
    public void changedInline(int bytes) {
        inlineChanged += bytes;
    }

    public int dirtyRecords() {
        return dirtyRecords;
    }

    /** The current epoch was frozen: nothing of the new one is dirty yet. */
    public void frozen() {
        dirtyBytes = 0;
        dirtyRecords = 0;
        inlineBytes = 0;
        inlineChanged = 0;
        linkedBytes = 0;
        writtenBytes = 0;
    }

    /** Bytes of records made in the current epoch, dead ones too. */
    public long writtenBytes() {
        return writtenBytes;
    }

    public long address(int record) {
        return pages.address(record);
    }

    public static int tag(EntryKey key) {
        return LogIndex.tag(key.entryMemoryHash(), key.table(), key.keyGroup());
    }

    public static int rowTag(EntryKey key) {
        return LogIndex.tag(key.rowMemoryHash(), key.table(), key.keyGroup());
    }

    /** The index place of the value, list or map entry that the key addresses, or 0. */
    public long find(EntryKey key) {
        int tag = tag(key);
        boolean mapEntry = key.isMapEntry();
        long place = index.first(tag);
        while (place != 0) {
            long record = address(LogIndex.record(place));
            if (mapEntry ? isEntry(record, key) : isPoint(record, key)) {
                return place;
            }
            place = index.after(place, tag);
        }
        return 0;
    }

    /** The index place of the record that stands for the map of the key, or 0. */
    public long findRow(EntryKey key) {
        int tag = rowTag(key);
        long place = index.first(tag);
        while (place != 0) {
            long record = address(LogIndex.record(place));
            if (RecordLayout.isRow(record) && isRow(record, key)) {
                return place;
            }
            place = index.after(place, tag);
        }
        return 0;
    }

    private static boolean isPoint(long record, EntryKey key) {
        int length = key.bodyLength();
        return Memory.getInt(record + KEY_LENGTH) == length
                && !RecordLayout.isLinked(record)
                && !RecordLayout.isRow(record)
                && isIn(record, key)
                && Memory.equal(record + RecordLayout.POINT_KEY, key.body(), 0, length);
    }

    /** Whether a record of any kind is of the same value or list as another one. */
    static boolean isSamePoint(long record, long point) {
        int length = RecordLayout.keyLength(point);
        return RecordLayout.keyLength(record) == length
                && !RecordLayout.isLinked(record)
                && !RecordLayout.isRow(record)
                && RecordLayout.table(record) == RecordLayout.table(point)
                && RecordLayout.keyGroup(record) == RecordLayout.keyGroup(point)
                && Memory.compare(record + RecordLayout.POINT_KEY, length, point + RecordLayout.POINT_KEY, length) == 0;
    }

    private boolean isEntry(long record, EntryKey key) {
        int length = key.mapKeyLength();
        return Memory.getInt(record + KEY_LENGTH) == length
                && RecordLayout.isLinked(record)
                && Memory.equal(record + RecordLayout.ENTRY_KEY, key.body(), key.rowLength() + 1, length)
                && isRow(address(Memory.getInt(record + ENTRY_ROW)), key);
    }

    private static boolean isRow(long row, EntryKey key) {
        int length = key.rowLength();
        return Memory.getInt(row + KEY_LENGTH) == length
                && isIn(row, key)
                && Memory.equal(row + ROW_KEY, key.body(), 0, length);
    }

    private static boolean isIn(long record, EntryKey key) {
        return RecordLayout.table(record) == key.table() && RecordLayout.keyGroup(record) == key.keyGroup();
    }

    /**
     * Writes the header and key of a new record of the current epoch, with room for {@code valueBytes}; links and value
     * are the caller's.
     */
    public int create(EntryKey key, byte kind, byte flags, int valueBytes) {
        return create(LogPages.DATA, key, kind, flags, valueBytes);
    }

    /** The same for a copy of a value that is in installed runs: clean from the first. */
    public int createCopy(EntryKey key, byte flags, int valueBytes) {
        return create(LogPages.COPIES, key, EntryKind.VALUE, flags, valueBytes);
    }

    private int create(int stream, EntryKey key, byte kind, byte flags, int valueBytes) {
        int keyOffset = (flags & MAP_ENTRY) != 0 ? RecordLayout.ENTRY_KEY : RecordLayout.POINT_KEY;
        int keyLength = (flags & MAP_ENTRY) != 0 ? key.mapKeyLength() : key.bodyLength();
        int record = allocate(stream, RecordLayout.padded(keyOffset + keyLength + valueBytes));
        long address = address(record);
        header(address, key, kind, flags, tag(key));
        Memory.putInt(address + KEY_LENGTH, keyLength);
        Memory.putInt(address + OLDER, 0);
        RecordLayout.chain(address, 0);
        Memory.copy(key.body(), key.bodyLength() - keyLength, address + keyOffset, keyLength);
        countDirty(address, stream);
        return record;
    }

    /** A new record of so many bytes that stands for the map of a key and has no entries yet; not indexed. */
    public int createRow(int stream, EntryKey key, byte kind, byte flags, int bytes) {
        int keyLength = key.rowLength();
        int record = allocate(stream, bytes);
        long address = address(record);
        header(address, key, kind, flags, rowTag(key));
        Memory.putInt(address + KEY_LENGTH, keyLength);
        Memory.fill(address + RecordLayout.ROW_FIRST, ROW_KEY - RecordLayout.ROW_FIRST, (byte) 0);
        Memory.copy(key.body(), 0, address + ROW_KEY, keyLength);
        countDirty(address, stream);
        return record;
    }

    /** A new record of so many bytes for the same map as another one, with no entries yet; not indexed. */
    public int createLike(int stream, long row, int bytes) {
        int record = allocate(stream, bytes);
        long address = address(record);
        Memory.copy(row + KIND, address + KIND, ROW_KEY + RecordLayout.keyLength(row) - KIND);
        RecordLayout.unset(address, REFERENCED);
        if (RecordLayout.birth(row) != epochs.current()) {
            RecordLayout.set(address, FLUSHED);
        }
        countDirty(address, stream);
        return record;
    }

    /** Makes a record that is not frozen larger where it is, if there is room behind it. */
    public boolean extend(long record, int more) {
        assert !epochs.isFrozen(RecordLayout.birth(record));
        int room = pages.aligned(more);
        boolean extended = pages.extend(record, RecordLayout.bytes(record), room);
        if (extended) {
            Memory.putInt(record + LENGTH, (RecordLayout.bytes(record) + room) / UNIT);
            if (RecordLayout.birth(record) == epochs.current()) {
                addDirty(record, room);
            }
        }
        return extended;
    }

    /**
     * Room for a record. What is written or changed is of the current epoch, copies are clean, the rest is never
     * flushed.
     */
    private int allocate(int stream, int bytes) {
        int birth = stream == LogPages.DATA ? epochs.current() : stream == LogPages.COPIES ? epochs.flushed() : 0;
        int room = pages.aligned(bytes);
        writtenBytes += stream == LogPages.DATA ? room : 0;
        int record = pages.allocate(stream, room, birth);
        long address = address(record);
        Memory.putInt(address + LENGTH, room / UNIT);
        Memory.putInt(address + BIRTH, birth);
        Memory.putInt(address + DEATH, 0);
        return record;
    }

    /** A record is one of the current epoch, if it is not a copy or never flushed. */
    private void countDirty(long record, int stream) {
        if (stream == LogPages.DATA) {
            addDirty(record, RecordLayout.bytes(record));
            dirtyRecords++;
        }
    }

    private void addDirty(long record, int bytes) {
        dirtyBytes += bytes;
        linkedBytes += RecordLayout.isLinked(record) ? bytes : 0;
        if (RecordLayout.kind(record) == RecordLayout.INLINE) {
            inlineBytes += bytes;
        }
    }

    private static void header(long address, EntryKey key, byte kind, byte flags, int tag) {
        Memory.putByte(address + KIND, kind);
        Memory.putByte(address + FLAGS, flags);
        Memory.putShort(address + TABLE, (short) key.table());
        Memory.putShort(address + KEY_GROUP, (short) key.keyGroup());
        Memory.putInt(address + VALUE_LENGTH, 0);
        Memory.putInt(address + TAG, tag);
    }

    /**
     * Whether a record may change where it is. A frozen one must not. A clean one may, but once pages have become short
     * it does so only in a page that is dirty anyway: else the change goes to the young end of the log, so that pages
     * of old records stay clean, lose what is in use, and can be evicted without I/O.
     */
    public boolean isMutable(long record) {
        int birth = RecordLayout.birth(record);
        if (birth == epochs.current()) {
            return true;
        }
        return !epochs.isFrozen(birth) && (!evicting || epochs.isDirty(pages.youngestBirth(pages.pageOf(record))));
    }

    /** Whether pages are not short. */
    public boolean arePagesPlenty() {
        return !evicting;
    }

    /** Pages have become short, or are plenty again. */
    public void evicting(boolean now) {
        evicting = now;
    }

    /** A record was read: if it is clean, it is worth keeping when its page goes. */
    public void referenced(long record) {
        if (!RecordLayout.has(record, REFERENCED) && !epochs.isDirty(RecordLayout.birth(record))) {
            RecordLayout.set(record, REFERENCED);
        }
    }

    /**
     * A copy, by number, of a record that is not frozen, in the youngest page where it belongs: records that were
     * changed lie apart from clean ones. Only where there is room for it.
     */
    public int copy(long record) {
        boolean changed = RecordLayout.birth(record) == epochs.current();
        return copy(changed ? LogPages.DATA : LogPages.COPIES, record);
    }

    /** A copy of a record in the youngest page of a stream, by number. */
    public int copy(int stream, long record) {
        int bytes = RecordLayout.bytes(record);
        int copied = pages.allocate(stream, bytes, RecordLayout.birth(record));
        long address = address(copied);
        Memory.copy(record, address, bytes);
        RecordLayout.unset(address, REFERENCED);
        countDirty(address, stream);
        return copied;
    }

    /**
     * Room for a value that its record does not hold: as much as it needs, and more if that record is of the current
     * epoch, because a value that grows often would leave a dead record at each change.
     */
    public int roomToGrow(long record, int valueBytes) {
        if (RecordLayout.birth(record) != epochs.current()) {
            return valueBytes;
        }
        int room = roomToGrowMax(RecordLayout.keyOffset(record) + RecordLayout.keyLength(record));
        return Math.max(valueBytes, Math.min(room, valueBytes + valueBytes / GROWTH_FRACTION));
    }

    /**
     * Most room for a value that a record gets beyond need, within what a prepared page surely holds, beside so many
     * other bytes.
     */
    int roomToGrowMax(int otherBytes) {
        return (pages.pageBytes() - LogPages.HEADER) / GROWN_FRACTION_MAX - otherBytes;
    }

    /** Makes a mutable record one of the current epoch, before it is changed. */
    public void renew(long record) {
        if (RecordLayout.birth(record) != epochs.current()) {
            RecordLayout.set(record, FLUSHED);
            Memory.putInt(record + BIRTH, epochs.current());
            pages.touch(pages.pageOf(record), epochs.current());
            countDirty(record, LogPages.DATA);
        }
    }

    /** Whether a deletion of this record's key must leave a tombstone, whatever runs may hold. */
    public boolean wasFlushed(long record) {
        return RecordLayout.has(record, FLUSHED) || RecordLayout.birth(record) != epochs.current();
    }

    /** Writes the value into a record that has room for it. */
    public static void writeValue(long record, byte[] value, int offset, int length) {
        Memory.putInt(record + VALUE_LENGTH, length);
        Memory.copy(value, offset, RecordLayout.valueAddress(record), length);
    }

    /** The same for a value in memory. */
    public static void writeValue(long record, long value, int length) {
        Memory.putInt(record + VALUE_LENGTH, length);
        Memory.copy(value, RecordLayout.valueAddress(record), length);
    }

    /** Changes the kind of a mutable record, which then has no value. */
    public static void rewrite(long record, byte kind) {
        assert EntryKind.isKnown(kind);
        Memory.putByte(record + KIND, kind);
        Memory.putInt(record + VALUE_LENGTH, 0);
    }

    /**
     * A record counts no more; a frozen one is still flushed as it was. It must not be indexed any longer. The youngest
     * copy of what is in runs gives its room back: what is read only to be changed leaves nothing behind.
     */
    public void kill(long record) {
        assert RecordLayout.isLive(record);
        int bytes = RecordLayout.bytes(record);
        Memory.putInt(record + DEATH, epochs.current());
        if (RecordLayout.birth(record) == epochs.current()) {
            addDirty(record, -bytes);
            dirtyRecords--;
        }
        pages.die(record, bytes);
        // A flushing thread may walk through a dirty page, over this record too.
        if (!epochs.isDirty(pages.youngestBirth(pages.pageOf(record)))) {
            pages.takeBack(record, bytes);
        }
    }
}
