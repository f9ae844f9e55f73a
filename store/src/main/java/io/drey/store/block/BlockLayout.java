package io.drey.store.block;

import io.drey.foundation.Hash;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKind;

/**
 * A block as it is stored, numbers little endian:
 *
 * <pre>
 *  0        4       5            9               13
 *  +--------+-------+------------+---------------+-----------+
 *  | CRC32C | codec | raw length | payload length| payload   |
 *  +--------+-------+------------+---------------+-----------+
 *           '------------- checksummed ----------------------'
 * </pre>
 *
 * The checksum is seeded with the file's id and the block's offset. The payload is what LZ4 or Zstandard make of the
 * raw bytes, or these themselves, also where most of them are values that are compressed one by one. The raw bytes are
 * entries and a directory of restart points, one for each 16 entries:
 *
 * <pre>
 *  +---------+---------+-----+--------------------------------------------+-----+---------------+
 *  | entry 0 | entry 1 | ... | restart 0: offset 4, table+key group 4,    | ... | restart count |
 *  |         |         |     |            row hash 8                    |     | 4             |
 *  +---------+---------+-----+--------------------------------------------+-----+---------------+
 *
 *  entry:
 *  +---------------+-----------------+------+------------------------+------------+-------+
 *  | varint shared | varint unshared | kind | varint value length,   | unshared   | value |
 *  |               |                 | 1    | unless a tombstone     | key bytes  |       |
 *  +---------------+-----------------+------+------------------------+------------+-------+
 * </pre>
 *
 * The key of an entry is its table and key group, two bytes each and big endian, and its body; an entry shares as many
 * bytes as it can with the key before it, and none at a restart point. All entries of a block are of one table.
 */
public final class BlockLayout {
    /** Bytes before the payload. */
    public static final int HEADER_BYTES = 13;

    public static final int CODEC_OFFSET = 4;
    public static final int RAW_LENGTH_OFFSET = 5;
    public static final int PAYLOAD_LENGTH_OFFSET = 9;

    public static final byte CODEC_RAW = 0;
    public static final byte CODEC_LZ4 = 1;
    public static final byte CODEC_ZSTD = 2;

    /** As raw, as most of it are values that are compressed by themselves. */
    public static final byte CODEC_COMPRESSED_VALUES = 3;

    /** Entries from one restart point to the next. */
    static final int RESTART_INTERVAL = 16;

    static final int RESTART_BYTES = 16;
    static final int RESTART_COUNT_BYTES = 4;
    static final int RESTART_TABLE_OFFSET = 4;
    static final int RESTART_HASH_OFFSET = 8;

    /** Bytes of table and key group in a key. */
    public static final int TABLE_KEY_GROUP_BYTES = 4;

    /** Most bytes that stand before the key bytes of an entry. */
    static final int ENTRY_HEAD_BYTES_MAX = 16;

    /** Most raw bytes of a block: what one buffer can hold, with room for headers. */
    public static final int RAW_BYTES_MAX = Integer.MAX_VALUE - (1 << 20);

    private BlockLayout() {}

    /** The seed of the checksum of what is stored at an offset of a file, from the seed that stands for the file. */
    public static long seed(long fileSeed, long offset) {
        return Hash.combine(fileSeed, offset);
    }

    static boolean hasValue(byte kind) {
        return EntryKind.isWhole(kind) || kind == EntryKind.APPEND;
    }

    /** Table and key group as one unsigned int, in the order of keys. */
    static int tableKeyGroup(int table, int keyGroup) {
        return table << 16 | keyGroup;
    }

    /** Writes a varint and returns the address after it. */
    public static long putVarint(long address, int value) {
        long at = address;
        int left = value;
        while ((left & ~0x7f) != 0) {
            Memory.putByte(at++, (byte) (left | 0x80));
            left >>>= 7;
        }
        Memory.putByte(at++, (byte) left);
        return at;
    }
}
