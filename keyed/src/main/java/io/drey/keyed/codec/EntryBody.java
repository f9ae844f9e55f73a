package io.drey.keyed.codec;

import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import java.util.Arrays;

/**
 * The parts of an entry's body, as {@link EntryKey} draws it, copied from a cursor. One thread; reused for each entry.
 */
public final class EntryBody {
    private final Bytes body = new Bytes();
    private int keyOffset;
    private int keyLength;
    private int namespaceOffset;
    private int namespaceLength;
    private int markerOffset;
    private int position;

    /** Copies the body under the cursor. */
    public void read(EntryCursor cursor) {
        body.clear();
        body.append(cursor.bodyAddress(), cursor.bodyLength());
        position = 0;
        keyLength = readVarint();
        keyOffset = position;
        position += keyLength;
        namespaceLength = readVarint();
        namespaceOffset = position;
        markerOffset = namespaceOffset + namespaceLength;
    }

    private int readVarint() {
        byte[] bytes = body.array();
        int value = 0;
        int shift = 0;
        while (bytes[position] < 0) {
            value |= (bytes[position++] & 0x7f) << shift;
            shift += 7;
        }
        return value | bytes[position++] << shift;
    }

    /** All bytes of the body; the offsets point into it. */
    public byte[] bytes() {
        return body.array();
    }

    public int keyOffset() {
        return keyOffset;
    }

    public int keyLength() {
        return keyLength;
    }

    public int namespaceOffset() {
        return namespaceOffset;
    }

    public int namespaceLength() {
        return namespaceLength;
    }

    public boolean isMapEntry() {
        return body.array()[markerOffset] == EntryKey.MAP_ENTRY;
    }

    public int mapKeyOffset() {
        return markerOffset + 1;
    }

    public int mapKeyLength() {
        return body.length() - markerOffset - 1;
    }

    /** The part of the body that entries of one map share. */
    public int rowLength() {
        return markerOffset;
    }

    /** Whether the namespace is the given one. */
    public boolean hasNamespace(byte[] namespace) {
        return Arrays.equals(
                body.array(), namespaceOffset, namespaceOffset + namespaceLength, namespace, 0, namespace.length);
    }

    /** Addresses this entry in a table. */
    public EntryKey addressInto(EntryKey target, int table, int keyGroup) {
        byte[] bytes = body.array();
        byte[] key = Arrays.copyOfRange(bytes, keyOffset, keyOffset + keyLength);
        byte[] namespace = Arrays.copyOfRange(bytes, namespaceOffset, namespaceOffset + namespaceLength);
        target.row(table, keyGroup, key, keyLength, namespace, namespaceLength);
        return isMapEntry() ? target.mapKey(bytes, mapKeyOffset(), mapKeyLength()) : target;
    }
}
