package io.drey.store.entry;

import io.drey.foundation.Bytes;
import io.drey.foundation.Hash;
import io.drey.foundation.SecretHash;
import java.util.Arrays;

/**
 * The address of an entry, made once per operation and reused: table, key group, and a <em>body</em>:
 *
 * <pre>
 *  +--------------+-----+--------------------+-----------+-------+-----------------+
 *  | varint length| key | varint length      | namespace | marker| map key         |
 *  |              |     |                    |           | 0 / 1 | only if marker 1|
 *  +--------------+-----+--------------------+-----------+-------+-----------------+
 *   '------------------- row, rowLength() ----------'
 * </pre>
 *
 * Marker 0 is the row itself: the one entry of a value or list, or the tombstone of a whole map; marker 1 is an entry
 * of a map. The row part is free of prefixes, so comparing bodies as unsigned bytes keeps the entries of a row
 * together, its marker-0 entry first, and its map entries in byte order of the map key.
 *
 * <p>The order of everything is {@code (table, key group, rowHash, body)}. {@link #prefix()} is its first 64 bits:
 * 16 of table, 16 of key group, 32 of hash; equal prefixes are rare among different rows.
 *
 * <p>Places in memory go by other hashes, which are secret: {@link SecretHash}.
 *
 * <p>Not thread safe. Allocates only to grow.
 */
public final class EntryKey {
    /** Marker of the row's own entry. */
    public static final byte ROW = 0;

    /** Marker of an entry of a map. */
    public static final byte MAP_ENTRY = 1;

    /** Tables and key groups have 16 bits each. */
    public static final int TABLES_MAX = 1 << 16;

    private final Bytes body = new Bytes(128);
    private int table;
    private int keyGroup;
    private int rowLength;
    private long rowMemoryHash;
    private long entryMemoryHash;

    /** The hashes of files, which most operations do not need: those that find their entry in memory. */
    private long rowHash;

    private long entryHash;
    private boolean isRowHashed;
    private boolean isEntryHashed;

    /** Addresses the row's own entry. */
    public EntryKey row(int newTable, int newKeyGroup, Bytes key, Bytes namespace) {
        return row(newTable, newKeyGroup, key.array(), key.length(), namespace.array(), namespace.length());
    }

    /** Addresses the row's own entry, from the first bytes of two arrays. */
    public EntryKey row(int newTable, int newKeyGroup, byte[] key, int keyLength, byte[] namespace, int nsLength) {
        table = newTable;
        keyGroup = newKeyGroup;
        body.clear();
        body.appendVarint(keyLength);
        body.append(key, 0, keyLength);
        body.appendVarint(nsLength);
        body.append(namespace, 0, nsLength);
        return rowEnds();
    }

    /** Addresses the own entry of a row whose part of the body is given. */
    public EntryKey rawRow(int newTable, int newKeyGroup, Bytes row) {
        table = newTable;
        keyGroup = newKeyGroup;
        body.clear();
        body.append(row.array(), 0, row.length());
        return rowEnds();
    }

    /** The body is the row's part so far. */
    private EntryKey rowEnds() {
        rowLength = body.length();
        rowMemoryHash = memoryHash(body.array(), rowLength);
        isRowHashed = false;
        return rowEntry();
    }

    /** Keeps the row and addresses its own entry again. */
    public EntryKey rowEntry() {
        body.length(rowLength);
        body.append(ROW);
        entryMemoryHash = rowMemoryHash;
        isEntryHashed = false;
        return this;
    }

    /** Keeps the row and addresses the entry of a map key in it. */
    public EntryKey mapKey(byte[] mapKey, int offset, int length) {
        body.length(rowLength);
        body.append(MAP_ENTRY);
        body.append(mapKey, offset, length);
        entryMemoryHash = mapEntryMemoryHash(rowMemoryHash, body.array(), rowLength + 1, length);
        isEntryHashed = false;
        return this;
    }

    /** Addresses what another key does. */
    public EntryKey set(EntryKey other) {
        table = other.table;
        keyGroup = other.keyGroup;
        body.clear();
        body.append(other.body.array(), 0, other.body.length());
        rowLength = other.rowLength;
        rowMemoryHash = other.rowMemoryHash;
        entryMemoryHash = other.entryMemoryHash;
        rowHash = other.rowHash;
        entryHash = other.entryHash;
        isRowHashed = other.isRowHashed;
        isEntryHashed = other.isEntryHashed;
        return this;
    }

    /** Whether both address the same. */
    public boolean isSame(EntryKey other) {
        return entryMemoryHash == other.entryMemoryHash
                && table == other.table
                && keyGroup == other.keyGroup
                && Arrays.equals(body.array(), 0, body.length(), other.body.array(), 0, other.body.length());
    }

    /** Whether both address the same row, or entries in it. */
    public boolean isSameRow(EntryKey other) {
        return rowMemoryHash == other.rowMemoryHash
                && table == other.table
                && keyGroup == other.keyGroup
                && Arrays.equals(body.array(), 0, rowLength, other.body.array(), 0, other.rowLength);
    }

    /** The hash of the first {@code length} bytes of a body: equal in every table, key group and file. */
    public static long rowHash(byte[] body, int length) {
        return Hash.hash(body, 0, length, 0);
    }

    /** The same for a body in memory. */
    public static long rowHash(long body, int length) {
        return Hash.hash(body, length, 0);
    }

    /** The hash of one map entry, from its row's and its map key. */
    public static long mapEntryHash(long rowHash, byte[] bytes, int offset, int length) {
        return Hash.combine(rowHash, Hash.hash(bytes, offset, length, 1));
    }

    /** The same for a map key in memory. */
    public static long mapEntryHash(long rowHash, long mapKey, int length) {
        return Hash.combine(rowHash, Hash.hash(mapKey, length, 1));
    }

    /**
     * The hash of the first {@code length} bytes of a body by which places in memory are chosen: secret, another one in
     * each process.
     */
    static long memoryHash(byte[] body, int length) {
        return SecretHash.hash(body, 0, length);
    }

    /** The same for a body in memory. */
    public static long rowMemoryHash(long body, int length) {
        return SecretHash.hash(body, length);
    }

    private static long mapEntryMemoryHash(long rowMemoryHash, byte[] bytes, int offset, int length) {
        return SecretHash.combine(rowMemoryHash, SecretHash.hash(bytes, offset, length));
    }

    /** That of one map entry, from its row's and its map key in memory. */
    public static long mapEntryMemoryHash(long rowMemoryHash, long mapKey, int length) {
        return SecretHash.combine(rowMemoryHash, SecretHash.hash(mapKey, length));
    }

    /** The first 64 bits of the order. */
    public static long prefix(int table, int keyGroup, long rowHash) {
        return (long) table << 48 | (long) keyGroup << 32 | rowHash >>> 32;
    }

    public int table() {
        return table;
    }

    public int keyGroup() {
        return keyGroup;
    }

    /** The whole body, in {@code [0, bodyLength())}. */
    public byte[] body() {
        return body.array();
    }

    public int bodyLength() {
        return body.length();
    }

    /** Length of the row part of the body. */
    public int rowLength() {
        return rowLength;
    }

    public boolean isMapEntry() {
        return body.length() > rowLength + 1 || body.array()[rowLength] == MAP_ENTRY;
    }

    public int mapKeyLength() {
        return body.length() - rowLength - 1;
    }

    /** The hash of the row in files. */
    public long rowHash() {
        if (!isRowHashed) {
            rowHash = rowHash(body.array(), rowLength);
            isRowHashed = true;
        }
        return rowHash;
    }

    /** The hash of the row in memory. */
    public long rowMemoryHash() {
        return rowMemoryHash;
    }

    /** The hash of the addressed entry in memory: the row's for the row's own entry. Free of table and key group. */
    public long entryMemoryHash() {
        return entryMemoryHash;
    }

    /** The hash of the addressed entry in files: the row's for the row's own entry. Free of table and key group. */
    public long entryHash() {
        if (!isEntryHashed) {
            entryHash = isMapEntry() ? mapEntryHash(rowHash(), body.array(), rowLength + 1, mapKeyLength()) : rowHash();
            isEntryHashed = true;
        }
        return entryHash;
    }

    public long prefix() {
        return prefix(table, keyGroup, rowHash());
    }
}
