package io.drey.store.entry;

/**
 * The entries of another cursor, as they are: what differs is said by a subclass, so that none of them repeats all the
 * rest. Closing it closes the other one.
 */
public abstract class DelegatingCursor implements EntryCursor {
    /** The other cursor, taken over. */
    protected final EntryCursor entries;

    protected DelegatingCursor(EntryCursor entries) {
        this.entries = entries;
    }

    @Override
    public boolean next() {
        return entries.next();
    }

    @Override
    public int table() {
        return entries.table();
    }

    @Override
    public int keyGroup() {
        return entries.keyGroup();
    }

    @Override
    public long rowHash() {
        return entries.rowHash();
    }

    @Override
    public long bodyAddress() {
        return entries.bodyAddress();
    }

    @Override
    public int bodyLength() {
        return entries.bodyLength();
    }

    @Override
    public int rowLength() {
        return entries.rowLength();
    }

    @Override
    public byte kind() {
        return entries.kind();
    }

    @Override
    public long valueAddress() {
        return entries.valueAddress();
    }

    @Override
    public int valueLength() {
        return entries.valueLength();
    }

    @Override
    public long lastAccess() {
        return entries.lastAccess();
    }

    @Override
    public void letGo() {
        entries.letGo();
    }

    @Override
    public void close() {
        entries.close();
    }
}
