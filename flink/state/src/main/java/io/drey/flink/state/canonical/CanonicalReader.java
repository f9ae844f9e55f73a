package io.drey.flink.state.canonical;

import io.drey.flink.state.list.ListLayout;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.store.Store;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.restore.KeyGroup;
import org.apache.flink.runtime.state.restore.KeyGroupEntry;
import org.apache.flink.runtime.state.restore.SavepointRestoreResult;
import org.apache.flink.runtime.state.restore.ThrowingIterator;
import org.apache.flink.util.StateMigrationException;

/** Puts the rows of canonical savepoints, whichever backend wrote them, into a store. The owner's thread. */
public final class CanonicalReader {
    /** Flink reads what savepoints say of their states. */
    private static final byte[] UNKNOWN_SOURCE = {};

    private final Store store;
    private final StateTables tables;
    private final int keyGroupsOfJob;

    /** States and queues of all parts. */
    private final List<StateMetaInfoSnapshot> described = new ArrayList<>();

    public CanonicalReader(Store store, StateTables tables, int keyGroupsOfJob) {
        this.store = store;
        this.tables = tables;
        this.keyGroupsOfJob = keyGroupsOfJob;
    }

    /** Reads one handle's part, all key groups of it. */
    public void read(SavepointRestoreResult part, TypeSerializer<?> keySerializer)
            throws IOException, StateMigrationException, InterruptedException {
        try (ThrowingIterator<KeyGroup> keyGroups = part.getRestoredKeyGroups()) {
            Targets targets = new Targets(part.getStateMetaInfoSnapshots(), keySerializer);
            while (keyGroups.hasNext()) {
                readKeyGroup(keyGroups.next(), targets);
            }
            described.addAll(part.getStateMetaInfoSnapshots());
        }
    }

    /** After all parts: makes known also what none of them has a row of. */
    public void finish() throws StateMigrationException {
        for (StateMetaInfoSnapshot info : described) {
            tables.restoreWithoutEntries(info, UNKNOWN_SOURCE);
        }
    }

    private void readKeyGroup(KeyGroup keyGroup, Targets targets)
            throws IOException, StateMigrationException, InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("the restore from a savepoint was interrupted");
        }
        try (ThrowingIterator<KeyGroupEntry> rows = keyGroup.getKeyGroupEntries()) {
            while (rows.hasNext()) {
                readRow(rows.next(), keyGroup.getKeyGroupId(), targets);
            }
        } catch (EOFException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new IOException(
                    "key group " + keyGroup.getKeyGroupId() + " of a canonical savepoint cannot be read: " + e
                            + ": it is damaged, restore from another",
                    e);
        }
    }

    private void readRow(KeyGroupEntry row, int keyGroup, Targets targets)
            throws IOException, StateMigrationException, InterruptedException {
        Target target = targets.of(row.getKvStateId());
        EntryKey entry = target.key.fromCanonical(row.getKey(), keyGroup);
        byte[] value = target.kind == TableKind.LIST ? ListLayout.fromCanonical(row.getValue()) : row.getValue();
        store.put(entry, value, 0, value.length);
    }

    /** Where the rows of a part go, by its numbers of states: with its first row a part says how they are written. */
    private final class Targets {
        private final List<StateMetaInfoSnapshot> infos;
        private final TypeSerializer<?> keySerializer;
        private final Target[] targets;

        Targets(List<StateMetaInfoSnapshot> infos, TypeSerializer<?> keySerializer) {
            this.infos = infos;
            this.keySerializer = keySerializer;
            this.targets = new Target[infos.size()];
        }

        Target of(int state) throws StateMigrationException, InterruptedException {
            if (targets[state] == null) {
                StateTable table =
                        tables.restore(infos.get(state), UNKNOWN_SOURCE, KeyGroupRange.EMPTY_KEY_GROUP_RANGE);
                int prefixBytes = CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(keyGroupsOfJob);
                targets[state] = new Target(CompositeKey.of(table, keySerializer, prefixBytes), table.kind());
            }
            return targets[state];
        }
    }

    private record Target(CompositeKey key, TableKind kind) {}
}
