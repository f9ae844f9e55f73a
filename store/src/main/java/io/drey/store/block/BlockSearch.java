package io.drey.store.block;

import static io.drey.store.block.BlockLayout.RESTART_BYTES;
import static io.drey.store.block.BlockLayout.RESTART_COUNT_BYTES;
import static io.drey.store.block.BlockLayout.RESTART_INTERVAL;
import static io.drey.store.block.BlockLayout.TABLE_KEY_GROUP_BYTES;

import io.drey.foundation.Memory;

/**
 * Finds one key in a raw block, see {@link BlockLayout}. Hot path; reused by one thread.
 *
 * <ol>
 *   <li>A binary search over the restart points by (table and key group, hash), and by body only where those are equal,
 *       finds the one interval that can hold the key.
 *   <li>The interval is scanned for equality only: it is known how many bytes of the key sought the entry before has in
 *       common with it, so an entry that shares fewer or more bytes with the one before cannot be it, and no key is put
 *       together.
 * </ol>
 */
public final class BlockSearch {
    private int tableKeyGroup;
    private long hash;
    private byte[] body;
    private int bodyLength;

    /** Where the last varint ended. */
    private long position;

    private long valueAddress;
    private int valueLength;

    /** Sets what to find. */
    public BlockSearch target(int newTable, int newKeyGroup, long newHash, byte[] newBody, int newBodyLength) {
        tableKeyGroup = BlockLayout.tableKeyGroup(newTable, newKeyGroup);
        hash = newHash;
        body = newBody;
        bodyLength = newBodyLength;
        return this;
    }

    public long valueAddress() {
        return valueAddress;
    }

    public int valueLength() {
        return valueLength;
    }

    /** The kind of the entry, whose value is then known here, or 0 if the block does not hold it. */
    public byte find(long block, int length) {
        int restarts = Memory.getInt(block + length - RESTART_COUNT_BYTES);
        long directory = block + length - RESTART_COUNT_BYTES - (long) restarts * RESTART_BYTES;
        int low = 0;
        int high = restarts - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compareRestart(block, directory + (long) middle * RESTART_BYTES) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        if (high < 0) {
            return 0;
        }
        long restart = directory + (long) high * RESTART_BYTES;
        return scan(block + Memory.getInt(restart), directory);
    }

    /** The order of a restart's key and the target. */
    private int compareRestart(long block, long restart) {
        int restartTable = Memory.getInt(restart + BlockLayout.RESTART_TABLE_OFFSET);
        if (restartTable != tableKeyGroup) {
            return Integer.compareUnsigned(restartTable, tableKeyGroup);
        }
        long restartHash = Memory.getLong(restart + BlockLayout.RESTART_HASH_OFFSET);
        if (restartHash != hash) {
            return Long.compareUnsigned(restartHash, hash);
        }
        int keyLength = entryHead(block + Memory.getInt(restart) + 1);
        return Memory.compare(position + TABLE_KEY_GROUP_BYTES, keyLength - TABLE_KEY_GROUP_BYTES, body, 0, bodyLength);
    }

    private byte scan(long from, long end) {
        int targetLength = TABLE_KEY_GROUP_BYTES + bodyLength;
        int common = 0;
        position = from;
        for (int i = 0; i < RESTART_INTERVAL && position < end; i++) {
            int shared = varint(position);
            int unshared = varint(position);
            byte kind = Memory.getByte(position++);
            int length = BlockLayout.hasValue(kind) ? varint(position) : 0;
            if (shared < common) {
                common = shared;
            } else if (shared == common) {
                common += commonWithTarget(position, common, Math.min(unshared, targetLength - common));
                if (common == targetLength && shared + unshared == targetLength) {
                    valueAddress = position + unshared;
                    valueLength = length;
                    return kind;
                }
            }
            position += unshared + (long) length;
        }
        return 0;
    }

    /** How many of {@code count} bytes of memory equal those of the target's key from {@code from} on. */
    private int commonWithTarget(long address, int from, int count) {
        int i = 0;
        for (; i < count && from + i < TABLE_KEY_GROUP_BYTES; i++) {
            if (Memory.getByte(address + i) != (byte) (tableKeyGroup >>> (24 - 8 * (from + i)))) {
                return i;
            }
        }
        return i + Memory.mismatch(address + i, body, from + i - TABLE_KEY_GROUP_BYTES, count - i);
    }

    /** Reads what stands between {@code unshared} and the key bytes, leaves the position there; the unshared length. */
    private int entryHead(long at) {
        int unshared = varint(at);
        byte kind = Memory.getByte(position++);
        if (BlockLayout.hasValue(kind)) {
            varint(position);
        }
        return unshared;
    }

    private int varint(long at) {
        long next = at;
        int b = Memory.getByte(next++);
        int value = b & 0x7f;
        for (int shift = 7; b < 0; shift += 7) {
            b = Memory.getByte(next++);
            value |= (b & 0x7f) << shift;
        }
        position = next;
        return value;
    }
}
