package io.drey.store.entry;

/**
 * The entry that a cursor stands on, read once: looking at it many times would otherwise go through layers of cursors
 * each time. Valid as long as the cursor stays.
 */
public final class EntryView {
    private int table;
    private int keyGroup;
    private long rowHash;
    private long bodyAddress;
    private int bodyLength;
    private int rowLength;
    private byte kind;
    private long valueAddress;
    private int valueLength;
    private long lastAccess;

    public EntryView read(EntryCursor cursor) {
        table = cursor.table();
        keyGroup = cursor.keyGroup();
        rowHash = cursor.rowHash();
        bodyAddress = cursor.bodyAddress();
        bodyLength = cursor.bodyLength();
        rowLength = cursor.rowLength();
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

    public long rowHash() {
        return rowHash;
    }

    /** The first 64 bits of the order, see {@link EntryKey#prefix()}. */
    public long prefix() {
        return EntryKey.prefix(table, keyGroup, rowHash);
    }

    public long bodyAddress() {
        return bodyAddress;
    }

    public int bodyLength() {
        return bodyLength;
    }

    public int rowLength() {
        return rowLength;
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
