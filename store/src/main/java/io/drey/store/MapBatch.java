package io.drey.store;

import io.drey.foundation.Bytes;
import java.util.Arrays;

/** Copies of some entries of a map, for a {@link MapScan}: filled by the store, then read, then used again. */
final class MapBatch {
    /** What grew larger is not kept for the next scan. */
    private static final int BYTES_KEPT_MAX = 64 << 10;

    private static final int ENTRIES_FIRST = 32;

    private final Bytes bytes = new Bytes();

    /** For each entry where its key, its value and what follows begin. */
    private int[] bounds = new int[3 * ENTRIES_FIRST];

    private int entries;

    void clear() {
        bytes.clear();
        entries = 0;
    }

    boolean isSmall() {
        return bytes.array().length + 4L * bounds.length <= BYTES_KEPT_MAX;
    }

    /** The bytes of all entries, to append to. */
    Bytes bytes() {
        return bytes;
    }

    int entries() {
        return entries;
    }

    /** An entry was appended: its key, then its value. */
    void add(int keyStart, int valueStart) {
        if (bounds.length < 3 * (entries + 1)) {
            bounds = Arrays.copyOf(bounds, bounds.length * 2);
        }
        bounds[3 * entries] = keyStart;
        bounds[3 * entries + 1] = valueStart;
        bounds[3 * entries + 2] = bytes.length();
        entries++;
    }

    int keyStart(int entry) {
        return bounds[3 * entry];
    }

    int valueStart(int entry) {
        return bounds[3 * entry + 1];
    }

    int end(int entry) {
        return bounds[3 * entry + 2];
    }

    /** The map key added last. */
    byte[] lastKey() {
        return Arrays.copyOfRange(bytes.array(), keyStart(entries - 1), valueStart(entries - 1));
    }
}
