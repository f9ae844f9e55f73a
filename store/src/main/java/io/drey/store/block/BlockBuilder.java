package io.drey.store.block;

import static io.drey.store.block.BlockLayout.ENTRY_HEAD_BYTES_MAX;
import static io.drey.store.block.BlockLayout.RESTART_BYTES;
import static io.drey.store.block.BlockLayout.RESTART_COUNT_BYTES;
import static io.drey.store.block.BlockLayout.RESTART_INTERVAL;
import static io.drey.store.block.BlockLayout.TABLE_KEY_GROUP_BYTES;

import io.drey.foundation.Arena;
import io.drey.foundation.DreyException;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.entry.EntryView;
import java.util.Arrays;

/**
 * Collects entries in order into the raw bytes of a block, see {@link BlockLayout}. Reused for block after block. A
 * single entry can be begun with its value left out, so that huge values are written from where they are.
 */
public final class BlockBuilder implements AutoCloseable {
    /** A buffer that grew beyond this for one large entry is given back after it. */
    private static final int RETAINED_BYTES_MAX = 256 << 10;

    /** What a block with one entry has beside its body and value. */
    public static final int OVERHEAD_BYTES_MAX =
            ENTRY_HEAD_BYTES_MAX + TABLE_KEY_GROUP_BYTES + RESTART_BYTES + RESTART_COUNT_BYTES;

    private final Scratch buffer;
    private int length;
    private int entries;
    private int[] restartOffsets = new int[64];
    private int[] restartTables = new int[64];
    private long[] restartHashes = new long[64];

    public BlockBuilder(Arena arena, Overdraft overdraft) {
        buffer = new Scratch(arena, overdraft);
    }

    public boolean isEmpty() {
        return entries == 0;
    }

    public void clear() {
        length = 0;
        entries = 0;
        if (buffer.capacity() > RETAINED_BYTES_MAX) {
            buffer.close();
        }
    }

    /**
     * Most raw bytes of the block if it ended after the entry, of whose key it shares so many bytes with the one
     * before.
     */
    public long bytesWith(EntryView entry, int shared) {
        int unshared = TABLE_KEY_GROUP_BYTES + entry.bodyLength() - (isRestart() ? 0 : shared);
        int restarts = (entries + RESTART_INTERVAL) / RESTART_INTERVAL;
        int tail = restarts * RESTART_BYTES + RESTART_COUNT_BYTES;
        return (long) length + ENTRY_HEAD_BYTES_MAX + unshared + entry.valueLength() + tail;
    }

    /** Adds an entry. */
    public void add(EntryView entry, int shared) {
        int valueLength = BlockLayout.hasValue(entry.kind()) ? entry.valueLength() : 0;
        addWithoutValue(entry, shared, valueLength);
        Memory.copy(entry.valueAddress(), buffer.address() + length, valueLength);
        length += valueLength;
    }

    /** Adds all of the entry but its value, which whoever writes the block puts after {@link #length()}. */
    public void addWithoutValue(EntryView entry) {
        addWithoutValue(entry, 0, 0);
    }

    /** Refuses an entry that no block can hold, by all the bytes of a block with it alone. */
    public static void check(long bytes) {
        if (bytes > BlockLayout.RAW_BYTES_MAX) {
            throw new DreyException("expected entries of at most " + BlockLayout.RAW_BYTES_MAX + " bytes, found one of "
                    + bytes + ": split the value");
        }
    }

    private void addWithoutValue(EntryView entry, int sharedBefore, int room) {
        check(bytesWith(entry, sharedBefore));
        int shared = isRestart() ? addRestart(entry) : sharedBefore;
        int keyLength = TABLE_KEY_GROUP_BYTES + entry.bodyLength();
        // The directory is appended later, without a need to grow.
        int needed = length + ENTRY_HEAD_BYTES_MAX + (keyLength - shared) + room + directoryBytes();
        long start = buffer.grow(needed, length);
        long at = BlockLayout.putVarint(start + length, shared);
        at = BlockLayout.putVarint(at, keyLength - shared);
        Memory.putByte(at++, entry.kind());
        if (BlockLayout.hasValue(entry.kind())) {
            at = BlockLayout.putVarint(at, entry.valueLength());
        }
        int tableKeyGroup = BlockLayout.tableKeyGroup(entry.table(), entry.keyGroup());
        int bodyFrom = 0;
        if (shared < TABLE_KEY_GROUP_BYTES) {
            for (int i = shared; i < TABLE_KEY_GROUP_BYTES; i++) {
                Memory.putByte(at++, (byte) (tableKeyGroup >>> (24 - 8 * i)));
            }
        } else {
            bodyFrom = shared - TABLE_KEY_GROUP_BYTES;
        }
        Memory.copy(entry.bodyAddress() + bodyFrom, at, entry.bodyLength() - bodyFrom);
        length = (int) (at - start) + entry.bodyLength() - bodyFrom;
        entries++;
    }

    private boolean isRestart() {
        return entries % RESTART_INTERVAL == 0;
    }

    private int addRestart(EntryView entry) {
        int restart = entries / RESTART_INTERVAL;
        if (restart == restartOffsets.length) {
            restartOffsets = Arrays.copyOf(restartOffsets, restart * 2);
            restartTables = Arrays.copyOf(restartTables, restart * 2);
            restartHashes = Arrays.copyOf(restartHashes, restart * 2);
        }
        restartOffsets[restart] = length;
        restartTables[restart] = BlockLayout.tableKeyGroup(entry.table(), entry.keyGroup());
        restartHashes[restart] = entry.rowHash();
        return 0;
    }

    /** Bytes of the directory for the entries so far. */
    public int directoryBytes() {
        int restarts = (entries + RESTART_INTERVAL - 1) / RESTART_INTERVAL;
        return restarts * RESTART_BYTES + RESTART_BYTES + RESTART_COUNT_BYTES;
    }

    /**
     * Appends the directory and returns its length: the raw block is complete, unless a value was left out before it.
     */
    public int finish() {
        int restarts = (entries + RESTART_INTERVAL - 1) / RESTART_INTERVAL;
        int directory = restarts * RESTART_BYTES + RESTART_COUNT_BYTES;
        long at = buffer.grow(length + directory, length) + length;
        for (int i = 0; i < restarts; i++) {
            Memory.putInt(at, restartOffsets[i]);
            Memory.putInt(at + BlockLayout.RESTART_TABLE_OFFSET, restartTables[i]);
            Memory.putLong(at + BlockLayout.RESTART_HASH_OFFSET, restartHashes[i]);
            at += RESTART_BYTES;
        }
        Memory.putInt(at, restarts);
        length += directory;
        return directory;
    }

    public long address() {
        return buffer.address();
    }

    public int length() {
        return length;
    }

    @Override
    public void close() {
        buffer.close();
        clear();
    }
}
