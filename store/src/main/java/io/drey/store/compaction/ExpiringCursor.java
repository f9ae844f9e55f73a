package io.drey.store.compaction;

import io.drey.store.entry.DelegatingCursor;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.Expiries;
import io.drey.store.entry.Expiry;
import io.drey.store.value.CompressedValue;
import io.drey.store.value.ValuePointer;

/**
 * The entries that a background job writes, without the values that have expired by now. Where nothing older is below,
 * an expired value is left out; elsewhere a tombstone takes its place, because an older value of the key would come
 * back without it. A list that is whole loses the elements at its begin that have expired. Appends are kept: what they
 * are appended to is not known. Time is read once for each table, at its first entry, so a job takes things for younger
 * than they are, never for older.
 */
public final class ExpiringCursor extends DelegatingCursor {
    private static final int NO_TABLE = -1;

    private final Expiries expiries;
    private final boolean bottom;
    private int table = NO_TABLE;
    private Expiry.Reader reader;
    private long expiredUntil;
    private byte kind;
    private long lastAccess;
    private int head;
    private long expired;

    /** Takes the cursor over. At the bottom nothing older is below its entries. */
    public ExpiringCursor(EntryCursor entries, Expiries expiries, boolean bottom) {
        super(entries);
        this.expiries = expiries;
        this.bottom = bottom;
    }

    @Override
    public boolean next() {
        while (entries.next()) {
            if (examine()) {
                return true;
            }
        }
        return false;
    }

    /** Looks at the entry that the cursor below was stepped to by its owner; false if it is to be left out. */
    boolean examine() {
        kind = entries.kind();
        lastAccess = Expiry.NEVER;
        head = 0;
        if (!EntryKind.isWhole(kind) && kind != EntryKind.APPEND) {
            return true;
        }
        if (entries.table() != table) {
            enter(entries.table());
        }
        if (reader == null) {
            return true;
        }
        lastAccess = readLastAccess();
        if (kind == EntryKind.APPEND || lastAccess > expiredUntil) {
            head = kind == EntryKind.VALUE ? reader.expiredHead() : 0;
            return true;
        }
        expired++;
        kind = EntryKind.TOMBSTONE;
        return !bottom;
    }

    /**
     * A value that stands in a value log is not read, nor a compressed one decompressed: what stands for them begins as
     * they do.
     */
    private long readLastAccess() {
        long address = entries.valueAddress();
        return switch (kind) {
            case EntryKind.POINTER ->
                reader.lastAccessOfHead(address, Math.min(ValuePointer.HEAD_BYTES, ValuePointer.rawLength(address)));
            case EntryKind.COMPRESSED -> reader.lastAccessOfHead(address, CompressedValue.HEAD_BYTES);
            default -> reader.lastAccess(address, entries.valueLength());
        };
    }

    private void enter(int newTable) {
        table = newTable;
        Expiry expiry = expiries.of(newTable);
        reader = expiry == null ? null : expiry.reader();
        expiredUntil = expiry == null ? Expiry.NOTHING : expiry.expiredUntil();
    }

    /** Values that had expired so far. */
    public long expired() {
        return expired;
    }

    @Override
    public byte kind() {
        return kind;
    }

    @Override
    public long valueAddress() {
        return entries.valueAddress() + head;
    }

    @Override
    public int valueLength() {
        return kind == EntryKind.TOMBSTONE ? 0 : entries.valueLength() - head;
    }

    @Override
    public long lastAccess() {
        return lastAccess;
    }
}
