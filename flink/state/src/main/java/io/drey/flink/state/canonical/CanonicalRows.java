package io.drey.flink.state.canonical;

import io.drey.flink.state.table.EntryBody;
import io.drey.foundation.Bytes;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryCursor;
import java.io.IOException;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyValueStateIterator;

/** All rows of a snapshot by key group, then by state: the order in which the canonical format is written. One thread. */
final class CanonicalRows implements KeyValueStateIterator {
    private final StoreSnapshot snapshot;
    private final List<CanonicalTable> tables;
    private final int lastKeyGroup;
    private final EntryBody body = new EntryBody();
    private final Bytes stored = new Bytes();
    private int keyGroup;
    private int state;
    private EntryCursor cursor;
    private byte[] key;
    private byte[] value;
    private boolean newKeyGroup;
    private boolean newState;

    /** Stands on the first row. */
    CanonicalRows(StoreSnapshot snapshot, List<CanonicalTable> tables, KeyGroupRange keyGroups) throws IOException {
        this.snapshot = snapshot;
        this.tables = tables;
        this.keyGroup = keyGroups.getStartKeyGroup();
        this.lastKeyGroup = keyGroups.getEndKeyGroup();
        try {
            advance();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        newKeyGroup = true;
        newState = true;
    }

    @Override
    public void next() throws IOException {
        int oldKeyGroup = keyGroup;
        int oldState = state;
        advance();
        newKeyGroup = keyGroup != oldKeyGroup;
        newState = state != oldState;
    }

    private void advance() throws IOException {
        key = null;
        value = null;
        while (keyGroup <= lastKeyGroup && !advanceInTable()) {
            close();
            if (++state >= tables.size()) {
                state = 0;
                keyGroup++;
            }
        }
    }

    private boolean advanceInTable() throws IOException {
        if (tables.isEmpty()) {
            return false;
        }
        CanonicalTable table = tables.get(state);
        if (cursor == null) {
            cursor = snapshot.scan(table.number(), keyGroup);
        }
        while (cursor.next()) {
            stored.clear();
            stored.append(cursor.valueAddress(), cursor.valueLength());
            byte[] canonical = table.value().of(stored.toArray());
            if (canonical != null) {
                body.read(cursor);
                key = table.key().toCanonical(body, keyGroup);
                value = canonical;
                return true;
            }
        }
        return false;
    }

    @Override
    public int keyGroup() {
        return keyGroup;
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public byte[] value() {
        return value;
    }

    @Override
    public int kvStateId() {
        return state;
    }

    @Override
    public boolean isNewKeyValueState() {
        return newState;
    }

    @Override
    public boolean isNewKeyGroup() {
        return newKeyGroup;
    }

    @Override
    public boolean isValid() {
        return key != null;
    }

    @Override
    public void close() {
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
    }
}
