package io.drey.store.log.record;

import io.drey.foundation.Memory;

/**
 * A record of the log. Records start at multiples of 8 bytes; what the flushing thread reads of a frozen record never
 * changes, except {@link #DEATH}, which goes once from 0 to an epoch after the frozen one.
 *
 * <pre>
 *   0 int   length of the record, in units of 8 bytes
 *   4 int   birth: the epoch of its last change; one below the current epoch is frozen or flushed
 *   8 int   death: 0, or the epoch in which it stopped counting
 *  12 byte  kind: of EntryKind, or ROW, or INLINE
 *  13 byte  flags
 *  14 short table                16 short key group
 *  18 short slots of an inline map; in a point record how many records of its list are older, 65535 if more
 *  20 int   value length; in an inline map two shorts: where its entries end, bytes of them that are dead
 *  24 int   key length           28 int   tag: 32 bits of hash, as in the index
 *
 *  point record (of a value or a list table, and row tombstones)
 *  32 int   older: the record that this one appends to, or 0
 *  36 body, value, room to grow
 *
 *  map entry
 *  32 int   row record         36 int   next of the row    40 int   previous of the row
 *  44 map key, value, room to grow
 *
 *  row of a linked map, or inline map (InlineMap has what follows)
 *  32 int   first entry; in an inline map: the older record, or 0
 *  36 int   entries with a value 40 int   epoch of the last row tombstone
 *  44 int   entries of the record, tombstones among them
 *  48 row part of the body
 * </pre>
 */
public final class RecordLayout {
    public static final int LENGTH = 0;
    public static final int BIRTH = 4;
    public static final int DEATH = 8;
    public static final int KIND = 12;
    public static final int FLAGS = 13;
    public static final int TABLE = 14;
    public static final int KEY_GROUP = 16;
    public static final int INLINE_SLOTS = 18;
    public static final int CHAIN = 18;
    public static final int INLINE_END = 20;
    public static final int INLINE_DEAD = 22;
    public static final int VALUE_LENGTH = 20;
    public static final int KEY_LENGTH = 24;
    public static final int TAG = 28;

    public static final int OLDER = 32;
    public static final int POINT_KEY = 36;

    public static final int ENTRY_ROW = 32;
    public static final int ENTRY_NEXT = 36;
    public static final int ENTRY_PREVIOUS = 40;
    public static final int ENTRY_KEY = 44;

    public static final int ROW_FIRST = 32;
    public static final int INLINE_OLDER = 32;
    public static final int ROW_VALUES = 36;
    public static final int ROW_CLEARED = 40;
    public static final int ROW_ENTRIES = 44;
    public static final int ROW_KEY = 48;

    /** The kind of the row record of a linked map, which is never flushed: it only ties entries together. */
    public static final byte ROW = 5;

    /** The kind of a record that holds a map whole. */
    public static final byte INLINE = 6;

    /** Flag: an entry of a map. */
    public static final byte MAP_ENTRY = 1;

    /**
     * Flag: an older version of this key, or map, went, or is going, into a run; deleting a key takes a tombstone then.
     */
    public static final byte FLUSHED = 2;

    /** Flag: a newer record of the same epoch appends to this one and is flushed together with it. */
    public static final byte COVERED = 4;

    /** Flag: the older record is of the same epoch and is flushed together with this one. */
    public static final byte OLDER_SAME_EPOCH = 8;

    /** Flag of a row, or of the newest record of a list: nothing that can be seen is missing in memory. */
    public static final byte COMPLETE = 16;

    /** Flag of a clean record: it was read since its page was last considered for eviction. */
    public static final byte REFERENCED = 32;

    /** Flag of an inline map: it was found to be too large to be read whole. */
    public static final byte LARGE = 64;

    /** Most that {@link #chain} tells. */
    static final int CHAIN_MAX = 0xffff;

    /** Records are padded to this. */
    public static final int UNIT = 8;

    private RecordLayout() {}

    public static int padded(int bytes) {
        return (bytes + UNIT - 1) & -UNIT;
    }

    public static int bytes(long record) {
        return Memory.getInt(record + LENGTH) * UNIT;
    }

    public static int birth(long record) {
        return Memory.getInt(record + BIRTH);
    }

    public static boolean isLive(long record) {
        return Memory.getInt(record + DEATH) == 0;
    }

    public static byte kind(long record) {
        return Memory.getByte(record + KIND);
    }

    /** Whether a record stands for a map, inline or linked. */
    public static boolean isRow(long record) {
        return kind(record) >= ROW;
    }

    /** Whether it is an entry of a linked map. */
    public static boolean isLinked(long record) {
        return has(record, MAP_ENTRY);
    }

    /** Whether it belongs to a map: its row, inline or not, or one of its entries. */
    public static boolean isOfMap(long record) {
        return isRow(record) || isLinked(record);
    }

    public static boolean has(long record, byte flag) {
        return (Memory.getByte(record + FLAGS) & flag) != 0;
    }

    public static void set(long record, byte flag) {
        Memory.putByte(record + FLAGS, (byte) (Memory.getByte(record + FLAGS) | flag));
    }

    public static void unset(long record, byte flag) {
        Memory.putByte(record + FLAGS, (byte) (Memory.getByte(record + FLAGS) & ~flag));
    }

    public static int table(long record) {
        return Memory.getShort(record + TABLE) & 0xffff;
    }

    public static int keyGroup(long record) {
        return Memory.getShort(record + KEY_GROUP) & 0xffff;
    }

    public static int keyLength(long record) {
        return Memory.getInt(record + KEY_LENGTH);
    }

    /** How many records of a list are older than this one, at most; {@link #CHAIN_MAX} if it is that many or more. */
    static int chain(long record) {
        return Memory.getShort(record + CHAIN) & CHAIN_MAX;
    }

    static void chain(long record, int length) {
        Memory.putShort(record + CHAIN, (short) Math.min(length, CHAIN_MAX));
    }

    public static int valueLength(long record) {
        return Memory.getInt(record + VALUE_LENGTH);
    }

    public static int tag(long record) {
        return Memory.getInt(record + TAG);
    }

    /** Where the key bytes of a record start, from its start. */
    static int keyOffset(long record) {
        if (isRow(record)) {
            return ROW_KEY;
        }
        return isLinked(record) ? ENTRY_KEY : POINT_KEY;
    }

    public static long keyAddress(long record) {
        return record + keyOffset(record);
    }

    public static long valueAddress(long record) {
        return record + keyOffset(record) + keyLength(record);
    }

    /** Bytes of value that the record has room for. */
    public static int valueCapacity(long record) {
        return bytes(record) - keyOffset(record) - keyLength(record);
    }
}
