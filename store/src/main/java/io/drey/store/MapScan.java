package io.drey.store;

import io.drey.foundation.Bytes;
import java.util.Arrays;

/**
 * A walk over one map, see {@link Store#scanMap}. It copies entries in batches that grow as it goes on. The arrays are
 * valid until the next {@link #next()}.
 */
public final class MapScan {
    private static final int BATCH_MIN = 32;
    private static final int BATCH_MAX = 4096;

    /** Bytes at which a batch ends, whatever its entries. */
    static final int BATCH_BYTES_MAX = 256 << 10;

    private final Store store;
    private final Bytes group;
    private final int table;
    private final int keyGroup;
    private final Bytes batch = new Bytes();
    private int[] bounds = new int[3 * BATCH_MIN];
    private int batchEntries;
    private int position = -1;
    private int wanted;
    private byte[] after;
    private boolean more = true;

    MapScan(Store store, int table, int keyGroup, Bytes group, byte[] after, int firstBatch) {
        this.store = store;
        this.table = table;
        this.keyGroup = keyGroup;
        this.group = group;
        this.after = after;
        this.wanted = Math.max(1, Math.min(firstBatch, BATCH_MAX));
    }

    static int firstBatch() {
        return BATCH_MIN;
    }

    /** Steps to the next entry; false at the end. */
    public boolean next() {
        while (++position >= batchEntries) {
            if (!more) {
                position = batchEntries;
                return false;
            }
            fill();
        }
        return true;
    }

    private void fill() {
        batch.clear();
        batchEntries = 0;
        position = -1;
        more = store.fill(this, wanted);
        wanted = Math.min(BATCH_MAX, wanted * 2);
    }

    /** The store adds an entry: its key and value stand at the end of {@link #batch()}. */
    void add(int keyStart, int valueStart) {
        if (bounds.length < 3 * (batchEntries + 1)) {
            bounds = Arrays.copyOf(bounds, bounds.length * 2);
        }
        bounds[3 * batchEntries] = keyStart;
        bounds[3 * batchEntries + 1] = valueStart;
        bounds[3 * batchEntries + 2] = batch.length();
        batchEntries++;
    }

    Bytes batch() {
        return batch;
    }

    int table() {
        return table;
    }

    int keyGroup() {
        return keyGroup;
    }

    Bytes group() {
        return group;
    }

    /** The map key after which the next batch starts, or null for the first. */
    byte[] after() {
        return after;
    }

    void after(byte[] mapKey) {
        after = mapKey;
    }

    /** The map key added last. */
    byte[] lastKey() {
        int last = 3 * (batchEntries - 1);
        return Arrays.copyOfRange(batch.array(), bounds[last], bounds[last + 1]);
    }

    int entries() {
        return batchEntries;
    }

    /** Holds the current map key at {@link #keyOffset()}, and its value at {@link #valueOffset()}. */
    public byte[] bytes() {
        return batch.array();
    }

    public int keyOffset() {
        return bounds[3 * position];
    }

    public int keyLength() {
        return bounds[3 * position + 1] - bounds[3 * position];
    }

    public int valueOffset() {
        return bounds[3 * position + 1];
    }

    public int valueLength() {
        return bounds[3 * position + 2] - bounds[3 * position + 1];
    }
}
