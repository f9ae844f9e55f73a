package io.drey.flink.state.keyed;

import io.drey.keyed.codec.EntryBody;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryCursor;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRange;

/**
 * Walks the keys and namespaces of one or more tables of a snapshot, each (key, namespace) once however many tables and
 * map entries it has. All tables have the same order, because it does not depend on the table, so this is a merge. Opens
 * each table's runs once, however many key groups there are. One thread.
 */
final class RowScan implements AutoCloseable {
    private final StoreSnapshot snapshot;
    private final Head[] heads;
    private final KeyGroupRange keyGroups;
    private final byte[] namespace;

    /** Null before the first step and after the last one. */
    private Head current;

    private boolean closed;

    /** Takes over the snapshot. If a namespace is given, only keys under it are walked. */
    RowScan(StoreSnapshot snapshot, List<Integer> tables, KeyGroupRange keyGroups, byte[] namespace) {
        this.snapshot = snapshot;
        this.heads = tables.stream().map(Head::new).toArray(Head[]::new);
        this.keyGroups = keyGroups;
        this.namespace = namespace;
    }

    /** Steps to the next key and namespace; after the last one everything is closed. */
    boolean next() {
        while (!closed) {
            if (current == null) {
                open();
            } else {
                stepOver(current);
            }
            current = smallest();
            if (current == null) {
                close();
            } else if (namespace == null || current.body.hasNamespace(namespace)) {
                return true;
            }
        }
        return false;
    }

    /** The entry that stands for the key and namespace. */
    EntryBody body() {
        return current.body;
    }

    private void open() {
        for (Head head : heads) {
            head.open();
        }
    }

    /** Moves all heads on this row to their next ones, the head itself last: the others compare with it. */
    private void stepOver(Head row) {
        for (Head head : heads) {
            if (head != row) {
                head.stepOver(row);
            }
        }
        row.stepOverItself();
    }

    private Head smallest() {
        Head smallest = null;
        for (Head head : heads) {
            if (head.cursor != null && (smallest == null || head.compareTo(smallest) < 0)) {
                smallest = head;
            }
        }
        return smallest;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (Head head : heads) {
            head.close();
        }
        snapshot.close();
    }

    /** A table's cursor and the row it stands on. */
    private final class Head {
        private final int table;
        private final EntryBody body = new EntryBody();
        private EntryCursor cursor;
        private int keyGroup;
        private long hash;

        Head(int table) {
            this.table = table;
        }

        void open() {
            cursor = snapshot.scan(table, keyGroups.getStartKeyGroup(), keyGroups.getEndKeyGroup());
            step();
        }

        private void step() {
            if (cursor.next()) {
                keyGroup = cursor.keyGroup();
                hash = cursor.rowHash();
                body.read(cursor);
            } else {
                close();
            }
        }

        void stepOver(Head row) {
            while (cursor != null && compareTo(row) == 0) {
                step();
            }
        }

        void stepOverItself() {
            int oldKeyGroup = keyGroup;
            long oldHash = hash;
            byte[] old = Arrays.copyOf(body.bytes(), body.rowLength());
            do {
                step();
            } while (cursor != null
                    && keyGroup == oldKeyGroup
                    && hash == oldHash
                    && Arrays.equals(body.bytes(), 0, body.rowLength(), old, 0, old.length));
        }

        int compareTo(Head other) {
            if (keyGroup != other.keyGroup) {
                return Integer.compare(keyGroup, other.keyGroup);
            }
            int byHash = Long.compareUnsigned(hash, other.hash);
            return byHash != 0
                    ? byHash
                    : Arrays.compareUnsigned(
                            body.bytes(), 0, body.rowLength(), other.body.bytes(), 0, other.body.rowLength());
        }

        void close() {
            if (cursor != null) {
                cursor.close();
                cursor = null;
            }
        }
    }
}
