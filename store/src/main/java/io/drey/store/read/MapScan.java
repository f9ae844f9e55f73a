package io.drey.store.read;

import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.MapBatch;

/**
 * A walk over one map, made by {@link MapReader#scan}. It copies entries in batches that grow as it goes on. What it
 * tells of an entry is valid until the next {@link #next()}.
 */
public final class MapScan {
    static final int BATCH_MIN = 32;

    /** Each batch looks at all of a map in memory that is not in order: those of a long walk are large, so few. */
    private static final int BATCH_MAX = 64 << 10;

    /** Bytes at which a batch ends, whatever its entries: so many for each that it may have, but not less than this. */
    private static final int BATCH_BYTES_MIN = 256 << 10;

    private static final int BYTES_PER_ENTRY = 64;

    private final MapReader maps;
    private final Bytes row;
    private final int table;
    private final int keyGroup;

    /** Null before the first step, and at the end. */
    private MapBatch batch;

    /** The entry on which the scan stands, entries of the batch, and where the entry lies in its bytes. */
    private int position = -1;

    private int entries;
    private byte[] bytes;
    private int keyStart;
    private int valueStart;
    private int end;

    private int wanted;
    private byte[] after;
    private boolean more = true;

    MapScan(MapReader maps, int table, int keyGroup, Bytes row, byte[] after, int firstBatch) {
        this.maps = maps;
        this.table = table;
        this.keyGroup = keyGroup;
        this.row = row;
        this.after = after;
        expect(firstBatch);
    }

    /** So many entries will be asked for: each batch walks all of the map that is in memory, so they come in one. */
    public void expect(int count) {
        wanted = Math.max(1, Math.min(count, BATCH_MAX));
    }

    /** Whether {@link #next()} only steps inside what was copied, so that what it told of the entry stays in place. */
    public boolean isNextAtHand() {
        return position + 1 < entries;
    }

    /** Steps to the next entry; false at the end. */
    public boolean next() {
        if (position + 1 == entries && !nextBatch()) {
            return false;
        }
        position++;
        keyStart = batch.keyStart(position);
        valueStart = batch.valueStart(position);
        end = batch.end(position);
        return true;
    }

    private boolean nextBatch() {
        while (more) {
            fill();
            if (entries > 0) {
                return true;
            }
        }
        abandon();
        return false;
    }

    /** Goes no further. */
    void abandon() {
        if (batch != null) {
            maps.giveBatch(batch);
            batch = null;
            bytes = null;
        }
        entries = 0;
        position = -1;
        more = false;
    }

    private void fill() {
        if (batch == null) {
            batch = maps.takeBatch();
        }
        batch.clear();
        more = maps.fill(this, wanted, Math.max(BATCH_BYTES_MIN, wanted * BYTES_PER_ENTRY));
        entries = batch.entries();
        bytes = batch.bytes().array();
        position = -1;
        wanted = Math.min(BATCH_MAX, wanted * 2);
    }

    /** Where the store adds entries. */
    MapBatch batch() {
        return batch;
    }

    /** Addresses the map that is walked over. */
    public EntryKey rowInto(EntryKey target) {
        return target.rawRow(table, keyGroup, row);
    }

    /** The map key after which the next batch starts, or null for the first. */
    byte[] after() {
        return after;
    }

    void after(byte[] mapKey) {
        after = mapKey;
    }

    /** Holds the current map key at {@link #keyOffset()}, and its value at {@link #valueOffset()}. */
    public byte[] bytes() {
        return bytes;
    }

    public int keyOffset() {
        return keyStart;
    }

    public int keyLength() {
        return valueStart - keyStart;
    }

    public int valueOffset() {
        return valueStart;
    }

    public int valueLength() {
        return end - valueStart;
    }
}
