package io.drey.flink.state.canonical;

import io.drey.foundation.Bytes;
import io.drey.keyed.codec.EntryBody;
import io.drey.keyed.timer.TimerJournal;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryCursor;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyValueStateIterator;

/**
 * All rows of a snapshot by key group, then by state: the order in which the canonical format is written. One thread.
 */
final class CanonicalRows implements KeyValueStateIterator {
    private static final byte[] NOTHING = new byte[0];

    private final StoreSnapshot snapshot;
    private final List<CanonicalTable> tables;
    private final int lastKeyGroup;
    private final EntryBody body = new EntryBody();
    private final Bytes stored = new Bytes();
    private int keyGroup;
    private int state;
    private EntryCursor cursor;

    /** Whether the cursor is over the journals of a timer queue, and the timers left of the current one. */
    private boolean inJournals;

    private Iterator<byte[]> timers = Collections.emptyIterator();
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
        while (keyGroup <= lastKeyGroup && !advanceInState()) {
            if (++state >= tables.size()) {
                state = 0;
                keyGroup++;
            }
        }
    }

    private boolean advanceInState() throws IOException {
        if (tables.isEmpty()) {
            return false;
        }
        CanonicalTable table = tables.get(state);
        do {
            if (cursor == null) {
                cursor = snapshot.scan(inJournals ? table.journals() : table.number(), keyGroup, keyGroup);
            }
            if (inJournals ? advanceInJournals(table) : advanceInTable(table)) {
                return true;
            }
            close();
            inJournals = !inJournals && table.journals() != CanonicalTable.NONE;
        } while (inJournals);
        return false;
    }

    private boolean advanceInTable(CanonicalTable table) throws IOException {
        while (cursor.next()) {
            byte[] canonical = table.value().of(stored());
            if (canonical != null) {
                body.read(cursor);
                key = table.key().toCanonical(body, keyGroup);
                value = canonical;
                return true;
            }
        }
        return false;
    }

    private boolean advanceInJournals(CanonicalTable table) {
        while (!timers.hasNext()) {
            if (!cursor.next()) {
                return false;
            }
            timers = TimerJournal.elements(keyGroup, stored()).iterator();
        }
        key = table.key().toCanonical(timers.next(), keyGroup);
        value = NOTHING;
        return true;
    }

    private byte[] stored() {
        stored.clear();
        stored.append(cursor.valueAddress(), cursor.valueLength());
        return stored.toArray();
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
