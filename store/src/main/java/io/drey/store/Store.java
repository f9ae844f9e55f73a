package io.drey.store;

import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableInfo;
import io.drey.store.entry.TableKind;
import java.util.List;

/**
 * The state store of one operator subtask: bytes under (table, key group, key, namespace[, map key]). One thread, the
 * owner, calls everything here; background jobs work on immutable files and frozen records only, and the owner installs
 * what they made between two operations.
 *
 * <p>Keys are addressed by an {@link EntryKey} that the caller fills and reuses; values are read into a {@link Bytes}.
 * A failed background job or a broken invariant poisons the store: every later call throws the cause.
 */
public final class Store implements AutoCloseable {
    private Store() {}

    /**
     * Opens a store, empty or on what parents left. The parents' files lie in the directory; their key groups do not
     * overlap. Files not referenced by any parent are deleted.
     */
    public static Store open(StoreSettings settings, StoreResources resources, List<StoreImage> parents) {
        throw new UnsupportedOperationException();
    }

    /** The number of a table, which is made if it is not there; another kind of table of that name is an error. */
    public int table(String name, TableKind kind) {
        throw new UnsupportedOperationException();
    }

    /** All tables, also those that only the restored image knows. */
    public List<TableInfo> tables() {
        throw new UnsupportedOperationException();
    }

    /** Fills {@code value} with the value of a value, list or map entry; false, and an empty value, if there is none. */
    public boolean get(EntryKey key, Bytes value) {
        throw new UnsupportedOperationException();
    }

    /** Sets the value of a value, list or map entry. */
    public void put(EntryKey key, byte[] value, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** Appends to the value of a list entry without reading it. */
    public void append(EntryKey key, byte[] bytes, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    /** Removes a value, list or map entry; one that is not there is fine. */
    public void delete(EntryKey key) {
        throw new UnsupportedOperationException();
    }

    /** Removes all entries of a map. */
    public void clearMap(EntryKey group) {
        throw new UnsupportedOperationException();
    }

    public boolean isMapEmpty(EntryKey group) {
        throw new UnsupportedOperationException();
    }

    /**
     * Walks a map in byte order of its map keys, starting after {@code after} (or with the first if null). The scan
     * copies entries in batches, holds nothing of the store between calls, may be abandoned, and stays usable while the
     * map changes: an entry added or removed meanwhile may or may not be seen, all others are seen once.
     */
    public MapScan scanMap(EntryKey group, byte[] after) {
        throw new UnsupportedOperationException();
    }

    /** Freezes what is in the store now, in a few milliseconds; {@link StoreSnapshot#await} makes it durable on disk. */
    public StoreSnapshot snapshot() {
        throw new UnsupportedOperationException();
    }

    /** Gives pages back until the store holds no more than its share. For a store that was asked to shrink while idle. */
    public void shrink() {
        throw new UnsupportedOperationException();
    }

    /** What the store holds and has done; any thread. */
    public StoreStats stats() {
        throw new UnsupportedOperationException();
    }

    /** Frees all memory and deletes the local files that no snapshot pins. Cancels background jobs and waits for them. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
