package io.drey.store.block;

import static io.drey.store.block.BlockLayout.RESTART_BYTES;
import static io.drey.store.block.BlockLayout.RESTART_COUNT_BYTES;
import static io.drey.store.block.BlockLayout.RESTART_INTERVAL;
import static io.drey.store.block.BlockLayout.TABLE_KEY_GROUP_BYTES;

import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;

/**
 * Walks the entries of raw blocks, see {@link BlockLayout}, and puts their keys together. The block's memory is its
 * owner's and must stay while the cursor stands on it. Reused; one thread.
 */
public final class BlockCursor implements AutoCloseable {
    private final KeyBuffer keyBuffer;
    private long block;
    private long directory;
    private int restarts;
    private long position;
    private int ordinal;
    private long key;
    private int keyLength;
    private int rowLength;
    private long rowHash;
    private byte kind;
    private long valueAddress;
    private int valueLength;
    private boolean atRowStart;

    public BlockCursor(SmallBuffers buffers) {
        keyBuffer = new KeyBuffer(buffers);
    }

    /** Stands before the first entry of a block. */
    public void open(long newBlock, int length) {
        block = newBlock;
        restarts = Memory.getInt(block + length - RESTART_COUNT_BYTES);
        directory = block + length - RESTART_COUNT_BYTES - (long) restarts * RESTART_BYTES;
        position = block;
        ordinal = 0;
    }

    /** Steps to the next entry, false at the end of the block. */
    public boolean next() {
        if (position >= directory) {
            return false;
        }
        int shared = varint();
        int unshared = varint();
        kind = Memory.getByte(position++);
        valueLength = BlockLayout.hasValue(kind) ? varint() : 0;
        keyLength = shared + unshared;
        key = keyBuffer.grow(keyLength, shared);
        Memory.copy(position, key + shared, unshared);
        valueAddress = position + unshared;
        position = valueAddress + valueLength;
        atRowStart = true;
        if (ordinal % RESTART_INTERVAL == 0) {
            rowLength = parseRowLength();
            rowHash = Memory.getLong(restart(ordinal / RESTART_INTERVAL) + BlockLayout.RESTART_HASH_OFFSET);
        } else if (shared < TABLE_KEY_GROUP_BYTES + rowLength) {
            rowLength = parseRowLength();
            rowHash = EntryKey.rowHash(bodyAddress(), rowLength);
        } else {
            atRowStart = false;
        }
        ordinal++;
        return true;
    }

    /** Whether the entry stood on is the block's one entry: no {@link #next()} looks into the block. */
    public boolean isOnly() {
        return ordinal == 1 && position >= directory;
    }

    /** Steps to the first entry that is not before the target; false if the block has none. */
    public boolean seek(int targetTableKeyGroup, long hash, byte[] body, int bodyLength) {
        int low = 0;
        int high = restarts - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compareRestart(middle, targetTableKeyGroup, hash, body, bodyLength) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        positionAt(Math.max(0, high));
        while (next()) {
            if (compare(targetTableKeyGroup, hash, body, bodyLength) >= 0) {
                return true;
            }
        }
        return false;
    }

    private int compareRestart(int restart, int targetTableKeyGroup, long hash, byte[] body, int bodyLength) {
        long at = restart(restart);
        int restartTable = Memory.getInt(at + BlockLayout.RESTART_TABLE_OFFSET);
        if (restartTable != targetTableKeyGroup) {
            return Integer.compareUnsigned(restartTable, targetTableKeyGroup);
        }
        long restartHash = Memory.getLong(at + BlockLayout.RESTART_HASH_OFFSET);
        if (restartHash != hash) {
            return Long.compareUnsigned(restartHash, hash);
        }
        positionAt(restart);
        return next() ? Memory.compare(bodyAddress(), bodyLength(), body, 0, bodyLength) : 1;
    }

    /** The order of the entry stood on and a key. */
    private int compare(int targetTableKeyGroup, long hash, byte[] body, int bodyLength) {
        int tableKeyGroup = tableKeyGroup();
        if (tableKeyGroup != targetTableKeyGroup) {
            return Integer.compareUnsigned(tableKeyGroup, targetTableKeyGroup);
        }
        return rowHash != hash
                ? Long.compareUnsigned(rowHash, hash)
                : Memory.compare(bodyAddress(), bodyLength(), body, 0, bodyLength);
    }

    private void positionAt(int restart) {
        position = block + Memory.getInt(restart(restart));
        ordinal = restart * RESTART_INTERVAL;
    }

    private long restart(int number) {
        return directory + (long) number * RESTART_BYTES;
    }

    /** Table and key group as one unsigned int, in the order of keys. */
    public int tableKeyGroup() {
        return Integer.reverseBytes(Memory.getInt(key));
    }

    public long prefix() {
        return (long) tableKeyGroup() << 32 | rowHash >>> 32;
    }

    public long rowHash() {
        return rowHash;
    }

    public long bodyAddress() {
        return key + TABLE_KEY_GROUP_BYTES;
    }

    public int bodyLength() {
        return keyLength - TABLE_KEY_GROUP_BYTES;
    }

    public int rowLength() {
        return rowLength;
    }

    /** False only if the entry is of the same row as the one before. */
    public boolean isAtRowStart() {
        return atRowStart;
    }

    public byte kind() {
        return kind;
    }

    public long valueAddress() {
        return valueAddress;
    }

    public int valueLength() {
        return valueLength;
    }

    /**
     * Length of the row part of the body, see {@link EntryKey}: a key and a namespace, each with its length before it.
     */
    private int parseRowLength() {
        long before = position;
        position = bodyAddress();
        int keyBytes = varint();
        position += keyBytes;
        int namespaceBytes = varint();
        position += namespaceBytes;
        int length = (int) (position - bodyAddress());
        position = before;
        return length;
    }

    private int varint() {
        int b = Memory.getByte(position++);
        int value = b & 0x7f;
        for (int shift = 7; b < 0; shift += 7) {
            b = Memory.getByte(position++);
            value |= (b & 0x7f) << shift;
        }
        return value;
    }

    /** Gives back the memory of the key; the cursor can be opened again. */
    @Override
    public void close() {
        keyBuffer.close();
    }
}
