package io.drey.store.entry;

import io.drey.foundation.Bytes;
import io.drey.foundation.Hash;
import java.util.Arrays;

/**
 * The address of an entry, made once per operation and reused: table, key group, and a <em>body</em>:
 *
 * <pre>
 *  +--------------+-----+--------------------+-----------+-------+-----------------+
 *  | varint length| key | varint length      | namespace | marker| map key         |
 *  |              |     |                    |           | 0 / 1 | only if marker 1|
 *  +--------------+-----+--------------------+-----------+-------+-----------------+
 *   '------------------- group, groupLength() ----------'
 * </pre>
 *
 * Marker 0 is the group itself: the one entry of a value or list, or the tombstone of a whole map; marker 1 is an entry
 * of a map. The group part is free of prefixes, so comparing bodies as unsigned bytes keeps the entries of a group
 * together, its marker-0 entry first, and its map entries in byte order of the map key.
 *
 * <p>The order of everything is {@code (table, key group, groupHash, body)}. {@link #prefix()} is its first 64 bits:
 * 16 of table, 16 of key group, 32 of hash; equal prefixes are rare among different groups.
 *
 * <p>Not thread safe. Allocates only to grow.
 */
public final class EntryKey {
    /** Marker of the group's own entry. */
    public static final byte GROUP = 0;

    /** Marker of an entry of a map. */
    public static final byte MAP_ENTRY = 1;

    /** Tables and key groups have 16 bits each. */
    public static final int TABLES_MAX = 1 << 16;

    private final Bytes body = new Bytes(128);
    private int table;
    private int keyGroup;
    private int groupLength;
    private long groupHash;
    private long entryHash;

    /** Addresses the group's own entry. */
    public EntryKey group(int newTable, int newKeyGroup, Bytes key, Bytes namespace) {
        return group(newTable, newKeyGroup, key.array(), key.length(), namespace.array(), namespace.length());
    }

    /** Addresses the group's own entry, from the first bytes of two arrays. */
    public EntryKey group(int newTable, int newKeyGroup, byte[] key, int keyLength, byte[] namespace, int nsLength) {
        table = newTable;
        keyGroup = newKeyGroup;
        body.clear();
        body.appendVarint(keyLength);
        body.append(key, 0, keyLength);
        body.appendVarint(nsLength);
        body.append(namespace, 0, nsLength);
        groupLength = body.length();
        groupHash = groupHash(body.array(), groupLength);
        body.append(GROUP);
        entryHash = groupHash;
        return this;
    }

    /** Addresses the own entry of a group whose part of the body is given. */
    public EntryKey rawGroup(int newTable, int newKeyGroup, Bytes group) {
        table = newTable;
        keyGroup = newKeyGroup;
        body.clear();
        body.append(group.array(), 0, group.length());
        groupLength = group.length();
        groupHash = groupHash(body.array(), groupLength);
        body.append(GROUP);
        entryHash = groupHash;
        return this;
    }

    /** Keeps the group and addresses its own entry again. */
    public EntryKey groupEntry() {
        body.length(groupLength);
        body.append(GROUP);
        entryHash = groupHash;
        return this;
    }

    /** Keeps the group and addresses the entry of a map key in it. */
    public EntryKey mapKey(byte[] mapKey, int offset, int length) {
        body.length(groupLength);
        body.append(MAP_ENTRY);
        body.append(mapKey, offset, length);
        entryHash = mapEntryHash(groupHash, body.array(), groupLength + 1, length);
        return this;
    }

    /** Addresses what another key does. */
    public EntryKey set(EntryKey other) {
        table = other.table;
        keyGroup = other.keyGroup;
        body.clear();
        body.append(other.body.array(), 0, other.body.length());
        groupLength = other.groupLength;
        groupHash = other.groupHash;
        entryHash = other.entryHash;
        return this;
    }

    /** Whether both address the same. */
    public boolean isSame(EntryKey other) {
        return entryHash == other.entryHash
                && table == other.table
                && keyGroup == other.keyGroup
                && Arrays.equals(body.array(), 0, body.length(), other.body.array(), 0, other.body.length());
    }

    /** Whether both address the same group, or entries in it. */
    public boolean isSameGroup(EntryKey other) {
        return groupHash == other.groupHash
                && table == other.table
                && keyGroup == other.keyGroup
                && Arrays.equals(body.array(), 0, groupLength, other.body.array(), 0, other.groupLength);
    }

    /** The hash of the first {@code length} bytes of a body: equal in every table, key group and file. */
    public static long groupHash(byte[] body, int length) {
        return Hash.hash(body, 0, length, 0);
    }

    /** The same for a body in memory. */
    public static long groupHash(long body, int length) {
        return Hash.hash(body, length, 0);
    }

    /** The hash of one map entry, from its group's and its map key. */
    public static long mapEntryHash(long groupHash, byte[] bytes, int offset, int length) {
        return Hash.combine(groupHash, Hash.hash(bytes, offset, length, 1));
    }

    /** The same for a map key in memory. */
    public static long mapEntryHash(long groupHash, long mapKey, int length) {
        return Hash.combine(groupHash, Hash.hash(mapKey, length, 1));
    }

    /** The first 64 bits of the order. */
    public static long prefix(int table, int keyGroup, long groupHash) {
        return (long) table << 48 | (long) keyGroup << 32 | groupHash >>> 32;
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

    /** Length of the group part of the body. */
    public int groupLength() {
        return groupLength;
    }

    public boolean isMapEntry() {
        return body.length() > groupLength + 1 || body.array()[groupLength] == MAP_ENTRY;
    }

    public int mapKeyLength() {
        return body.length() - groupLength - 1;
    }

    public long groupHash() {
        return groupHash;
    }

    /** The hash of the addressed entry: the group's for the group's own entry. Free of table and key group. */
    public long entryHash() {
        return entryHash;
    }

    public long prefix() {
        return prefix(table, keyGroup, groupHash);
    }
}
