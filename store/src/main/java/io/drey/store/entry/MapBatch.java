package io.drey.store.entry;

import io.drey.foundation.Bytes;
import java.util.Arrays;

/** Copies of some entries of a map: filled by the store, then read by a scan, then used again. */
public final class MapBatch {
    /** What grew larger is not kept for the next scan. */
    private static final int BYTES_KEPT_MAX = 64 << 10;

    private static final int ENTRIES_FIRST = 32;

    private final Bytes bytes = new Bytes();

    /** For each entry where its key, its value and what follows begin. */
    private int[] bounds = new int[3 * ENTRIES_FIRST];

    private int entries;

    public void clear() {
        bytes.clear();
        entries = 0;
    }

    public boolean isSmall() {
        return bytes.array().length + 4L * bounds.length <= BYTES_KEPT_MAX;
    }

    /** The bytes of all entries, to append to. */
    public Bytes bytes() {
        return bytes;
    }

    public int entries() {
        return entries;
    }

    /** Adds an entry whose key and value lie side by side in memory. */
    public void append(long address, int keyLength, int valueLength) {
        int start = bytes.length();
        bytes.append(address, keyLength + valueLength);
        add(start, keyLength, valueLength);
    }

    /** Adds an entry whose key, and then its value, were appended to the bytes and begin there. */
    public void add(int start, int keyLength, int valueLength) {
        if (bounds.length < 3 * (entries + 1)) {
            bounds = Arrays.copyOf(bounds, bounds.length * 2);
        }
        int at = 3 * entries;
        bounds[at] = start;
        bounds[at + 1] = start + keyLength;
        bounds[at + 2] = start + keyLength + valueLength;
        entries++;
    }

    public int keyStart(int entry) {
        return bounds[3 * entry];
    }

    public int valueStart(int entry) {
        return bounds[3 * entry + 1];
    }

    public int end(int entry) {
        return bounds[3 * entry + 2];
    }

    /** The map key added last. */
    public byte[] lastKey() {
        return Arrays.copyOfRange(bytes.array(), keyStart(entries - 1), valueStart(entries - 1));
    }
}
