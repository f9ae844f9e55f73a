package io.drey.store.log.map;

import static io.drey.store.log.record.RecordLayout.INLINE_DEAD;
import static io.drey.store.log.record.RecordLayout.INLINE_END;
import static io.drey.store.log.record.RecordLayout.INLINE_OLDER;
import static io.drey.store.log.record.RecordLayout.INLINE_SLOTS;
import static io.drey.store.log.record.RecordLayout.ROW_ENTRIES;
import static io.drey.store.log.record.RecordLayout.ROW_KEY;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.log.record.RecordLayout;

/**
 * A record that holds entries of a small map one after another, and a directory of them in byte order of the map keys.
 * What an entry takes beside its content are 7 bytes.
 *
 * <pre>
 *  header of a row, row part of the body, padding to 8 bytes
 *  byte  tag of each slot: 8 bits of the entry's hash, to find it
 *  short where the entry of each slot begins, from the start of the record
 *  entries, room to grow
 *
 *  entry:  byte flags   byte key length   short value length   key   value
 * </pre>
 *
 * The operations change one record and know of nothing else. A slot is valid until the record changes.
 */
public final class InlineMap {
    /** The answer when no slot has the key. */
    public static final int NONE = -1;

    /** Flag of an entry: changed in the epoch of the record's birth, and flushed with it. */
    public static final byte DIRTY = 1;

    /** Flag of an entry: an older version went, or is going, into a run; deleting it takes a tombstone. */
    static final byte FLUSHED = 2;

    /** Flag of an entry: a tombstone, without value. */
    static final byte TOMBSTONE = 4;

    /** Slots are added so many at a time. */
    static final int SLOTS_STEP = 4;

    static final int KEY_MAX = 0xff;
    private static final int SLOT_BYTES = 3;
    private static final int KEY_LENGTH = 1;
    private static final int VALUE_LENGTH = 2;
    private static final int KEY = 4;
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    private InlineMap() {}

    /** Bytes of a record with so many slots whose entries take so many bytes. */
    static int bytesFor(int rowLength, int slots, int entryBytes) {
        return RecordLayout.padded(directoryOffset(rowLength) + slots * SLOT_BYTES + entryBytes);
    }

    /** Bytes of an entry, without its slot. */
    static int entryBytes(int keyLength, int valueLength) {
        return KEY + keyLength + valueLength;
    }

    /** Makes the record empty, with no older one; its header and key are written. */
    static void format(long record, int slots) {
        Memory.putShort(record + INLINE_SLOTS, (short) slots);
        Memory.putInt(record + INLINE_OLDER, 0);
        empty(record);
    }

    /** Drops all entries. */
    static void empty(long record) {
        Memory.putInt(record + ROW_ENTRIES, 0);
        Memory.putShort(record + INLINE_DEAD, (short) 0);
        end(record, entriesOffset(record));
    }

    /** The number of the record that holds the entries that are not here, or 0. */
    static int older(long record) {
        return Memory.getInt(record + INLINE_OLDER);
    }

    static void older(long record, int number) {
        Memory.putInt(record + INLINE_OLDER, number);
    }

    public static int entries(long record) {
        return Memory.getInt(record + ROW_ENTRIES);
    }

    /** Bytes that the entries take now, without what is dead. */
    static int liveBytes(long record) {
        return end(record) - entriesOffset(record) - dead(record);
    }

    static byte tag(EntryKey key) {
        return tag(key.entryMemoryHash());
    }

    static byte tag(long entryHash) {
        return (byte) (entryHash >>> 24);
    }

    /** The slot of the map key that a key addresses, or {@link #NONE}. */
    static int find(long record, EntryKey key) {
        long tags = record + directoryOffset(RecordLayout.keyLength(record));
        long wanted = ONES * (tag(key) & 0xff);
        int entries = entries(record);
        for (int first = 0; first < entries; first += Long.BYTES) {
            long different = Memory.getLong(tags + first) ^ wanted;
            // The top bit of each byte that is 0, and perhaps of some above one; those are looked at in vain.
            for (long equal = (different - ONES) & ~different & TOPS; equal != 0; equal &= equal - 1) {
                int slot = first + (Long.numberOfTrailingZeros(equal) >>> 3);
                if (slot < entries && isAt(record, slot, key)) {
                    return slot;
                }
            }
        }
        return NONE;
    }

    private static boolean isAt(long record, int slot, EntryKey key) {
        long entry = entry(record, slot);
        int length = key.mapKeyLength();
        return keyLength(entry) == length && Memory.equal(entry + KEY, key.body(), key.rowLength() + 1, length);
    }

    /** The first slot with a map key greater than a bound. */
    static int firstAfter(long record, byte[] bytes, int offset, int length) {
        int low = 0;
        int high = entries(record);
        // Keys often come in order.
        if (high > 0 && compare(record, high - 1, bytes, offset, length) <= 0) {
            return high;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(record, middle, bytes, offset, length) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static int compare(long record, int slot, byte[] bytes, int offset, int length) {
        long entry = entry(record, slot);
        return Memory.compare(entry + KEY, keyLength(entry), bytes, offset, length);
    }

    /** Whether one more entry of so many bytes can be inserted. */
    static boolean hasRoom(long record, int entryBytes) {
        return entries(record) < slots(record) && end(record) + entryBytes <= RecordLayout.bytes(record);
    }

    /** Inserts an entry that is not there, for which there is room. */
    static void insert(long record, EntryKey key, byte flags, byte[] value, int valueOffset, int valueLength) {
        int keyStart = key.rowLength() + 1;
        int keyLength = key.mapKeyLength();
        int slot = firstAfter(record, key.body(), keyStart, keyLength);
        long entry = open(record, slot, tag(key), entryBytes(keyLength, valueLength));
        Memory.putByte(entry, flags);
        Memory.putByte(entry + KEY_LENGTH, (byte) keyLength);
        Memory.putShort(entry + VALUE_LENGTH, (short) valueLength);
        Memory.copy(key.body(), keyStart, entry + KEY, keyLength);
        Memory.copy(value, valueOffset, entry + KEY + keyLength, valueLength);
    }

    /** Appends a slot of another record, whose key is greater than all here, with other flags. */
    static void append(long record, long from, int slot, byte flags) {
        long source = entry(from, slot);
        int bytes = bytes(source);
        byte tag = Memory.getByte(from + directoryOffset(RecordLayout.keyLength(from)) + slot);
        long entry = open(record, entries(record), tag, bytes);
        Memory.copy(source, entry, bytes);
        Memory.putByte(entry, flags);
    }

    /** Makes a slot and room for an entry of so many bytes; returns its address. */
    private static long open(long record, int slot, byte tag, int bytes) {
        int entries = entries(record);
        long tags = record + directoryOffset(RecordLayout.keyLength(record));
        long offsets = tags + slots(record);
        Memory.copy(tags + slot, tags + slot + 1, entries - slot);
        Memory.copy(offsets + 2L * slot, offsets + 2L * slot + 2, 2L * (entries - slot));
        int offset = end(record);
        Memory.putByte(tags + slot, tag);
        Memory.putShort(offsets + 2L * slot, (short) offset);
        Memory.putInt(record + ROW_ENTRIES, entries + 1);
        end(record, offset + bytes);
        return record + offset;
    }

    /** Removes the entry of a slot. */
    static void remove(long record, int slot) {
        long entry = entry(record, slot);
        int bytes = bytes(entry);
        int left = entries(record) - 1 - slot;
        long tags = record + directoryOffset(RecordLayout.keyLength(record));
        long offsets = tags + slots(record);
        Memory.copy(tags + slot + 1, tags + slot, left);
        Memory.copy(offsets + 2L * slot + 2, offsets + 2L * slot, 2L * left);
        Memory.putInt(record + ROW_ENTRIES, entries(record) - 1);
        if (entry + bytes == record + end(record)) {
            end(record, end(record) - bytes);
        } else {
            Memory.putShort(record + INLINE_DEAD, (short) (dead(record) + bytes));
        }
    }

    /** Sets value and flags of an entry whose value is as long as the new one. */
    static void overwrite(long entry, byte flags, byte[] value, int offset, int length) {
        Memory.putByte(entry, flags);
        Memory.copy(value, offset, entry + KEY + keyLength(entry), length);
    }

    /** Sets an entry of one record, which keeps the flag that it was flushed; false if there is no room. */
    static boolean set(long record, EntryKey key, byte newFlags, byte[] value, int offset, int length) {
        int slot = find(record, key);
        byte flags = newFlags;
        if (slot != NONE) {
            long entry = entry(record, slot);
            flags |= (byte) (flags(entry) & FLUSHED);
            if (valueLength(entry) == length) {
                overwrite(entry, flags, value, offset, length);
                return true;
            }
        }
        if (!hasRoom(record, entryBytes(key.mapKeyLength(), length))) {
            return false;
        }
        if (slot != NONE) {
            remove(record, slot);
        }
        insert(record, key, flags, value, offset, length);
        return true;
    }

    /** Slots that the record lacks for one more entry. */
    static int slotsLacking(long record) {
        return entries(record) < slots(record) ? 0 : SLOTS_STEP;
    }

    /** Bytes that the record lacks for one more entry of so many bytes and so many more slots. */
    static int bytesLacking(long record, int entryBytes, int moreSlots) {
        int wanted = end(record) + entryBytes + moreSlots * SLOT_BYTES;
        return Math.max(0, RecordLayout.padded(wanted) - RecordLayout.bytes(record));
    }

    /** Adds slots to a record that has room for them. */
    static void addSlots(long record, int more) {
        int before = slots(record);
        int by = more * SLOT_BYTES;
        long tags = record + directoryOffset(RecordLayout.keyLength(record));
        long from = tags + (long) before * SLOT_BYTES;
        Memory.copy(from, from + by, record + end(record) - from);
        long offsets = tags + before;
        for (int slot = entries(record) - 1; slot >= 0; slot--) {
            short moved = (short) (Memory.getShort(offsets + 2L * slot) + by);
            Memory.putShort(offsets + more + 2L * slot, moved);
        }
        Memory.putShort(record + INLINE_SLOTS, (short) (before + more));
        end(record, end(record) + by);
    }

    /** The address of the entry of a slot. */
    public static long entry(long record, int slot) {
        return entry(record, offsets(record), slot);
    }

    /** The same where the address of the offsets is known. */
    public static long entry(long record, long offsets, int slot) {
        return record + (Memory.getShort(offsets + 2L * slot) & 0xffff);
    }

    /** The address of the offsets of all entries. */
    static long offsets(long record) {
        return record + directoryOffset(RecordLayout.keyLength(record)) + slots(record);
    }

    /**
     * Appends the bytes of all entries; what to take from the address of an entry to have its place among the bytes.
     */
    static long appendEntries(long record, Bytes out) {
        int start = entriesOffset(record);
        long shift = record + start - out.length();
        out.append(record + start, end(record) - start);
        return shift;
    }

    public static byte flags(long entry) {
        return Memory.getByte(entry);
    }

    public static void flags(long entry, byte flags) {
        Memory.putByte(entry, flags);
    }

    public static byte kind(long entry) {
        return (flags(entry) & TOMBSTONE) == 0 ? EntryKind.VALUE : EntryKind.TOMBSTONE;
    }

    public static int keyLength(long entry) {
        return Memory.getByte(entry + KEY_LENGTH) & 0xff;
    }

    public static long keyAddress(long entry) {
        return entry + KEY;
    }

    public static int valueLength(long entry) {
        return Memory.getShort(entry + VALUE_LENGTH) & 0xffff;
    }

    public static long valueAddress(long entry) {
        return entry + KEY + keyLength(entry);
    }

    /** Bytes of an entry, without its slot. */
    static int bytes(long entry) {
        return entryBytes(keyLength(entry), valueLength(entry));
    }

    private static int slots(long record) {
        return Memory.getShort(record + INLINE_SLOTS) & 0xffff;
    }

    /** Where the last entry ends, from the start of the record. */
    private static int end(long record) {
        return Memory.getShort(record + INLINE_END) & 0xffff;
    }

    private static void end(long record, int end) {
        Memory.putShort(record + INLINE_END, (short) end);
    }

    /** Bytes of entries that were removed. */
    private static int dead(long record) {
        return Memory.getShort(record + INLINE_DEAD) & 0xffff;
    }

    private static int entriesOffset(long record) {
        return directoryOffset(RecordLayout.keyLength(record)) + slots(record) * SLOT_BYTES;
    }

    private static int directoryOffset(int rowLength) {
        return RecordLayout.padded(ROW_KEY + rowLength);
    }
}
