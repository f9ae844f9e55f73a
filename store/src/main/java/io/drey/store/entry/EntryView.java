package io.drey.store.entry;

/**
 * What a cursor tells of the entry that it stands on, read once: who looks at an entry many times would otherwise go
 * through layers of cursors each time. Valid as long as the cursor stays.
 */
public final class EntryView {
    private int table;
    private int keyGroup;
    private long groupHash;
    private long bodyAddress;
    private int bodyLength;
    private int groupLength;
    private byte kind;
    private long valueAddress;
    private int valueLength;
    private long lastAccess;

    public EntryView read(EntryCursor cursor) {
        table = cursor.table();
        keyGroup = cursor.keyGroup();
        groupHash = cursor.groupHash();
        bodyAddress = cursor.bodyAddress();
        bodyLength = cursor.bodyLength();
        groupLength = cursor.groupLength();
        kind = cursor.kind();
        valueAddress = cursor.valueAddress();
        valueLength = cursor.valueLength();
        lastAccess = cursor.lastAccess();
        return this;
    }

    public int table() {
        return table;
    }

    public int keyGroup() {
        return keyGroup;
    }

    public long groupHash() {
        return groupHash;
    }

    /** The first 64 bits of the order, see {@link EntryKey#prefix()}. */
    public long prefix() {
        return EntryKey.prefix(table, keyGroup, groupHash);
    }

    public long bodyAddress() {
        return bodyAddress;
    }

    public int bodyLength() {
        return bodyLength;
    }

    public int groupLength() {
        return groupLength;
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

    public long lastAccess() {
        return lastAccess;
    }
}
