package io.drey.store;

import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;

/**
 * Keys of four bytes, by their number, without a namespace. What is returned is valid until the next one is asked for.
 */
public final class NumberedKeys {
    private final EntryKey key = new EntryKey();
    private final Bytes bytes = new Bytes();
    private final Bytes none = new Bytes();

    public EntryKey key(int table, int number) {
        return key(table, 0, number);
    }

    public EntryKey key(int table, int keyGroup, int number) {
        return key.row(table, keyGroup, bytesOf(number), none);
    }

    /** An entry, by a number, of the map under such a key. */
    EntryKey mapEntry(int table, int number, int entry) {
        key(table, number);
        return key.mapKey(bytesOf(entry).array(), 0, Integer.BYTES);
    }

    private Bytes bytesOf(int number) {
        bytes.clear();
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes.append((byte) (number >>> shift));
        }
        return bytes;
    }
}
