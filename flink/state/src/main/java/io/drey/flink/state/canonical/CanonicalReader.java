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

    public CanonicalReader(Store store, StateTables tables, int keyGroupsOfJob) {
        this.store = store;
        this.tables = tables;
        this.keyGroupsOfJob = keyGroupsOfJob;
    }

    /** Reads one handle's part, all key groups of it. */
    public void read(SavepointRestoreResult part, TypeSerializer<?> keySerializer)
            throws IOException, StateMigrationException, InterruptedException {
        try (ThrowingIterator<KeyGroup> keyGroups = part.getRestoredKeyGroups()) {
            List<Target> targets = targets(part.getStateMetaInfoSnapshots(), keySerializer);
            while (keyGroups.hasNext()) {
                readKeyGroup(keyGroups.next(), targets);
            }
        }
    }

    private List<Target> targets(List<StateMetaInfoSnapshot> infos, TypeSerializer<?> keySerializer)
            throws IOException, StateMigrationException, InterruptedException {
        int prefixBytes = CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(keyGroupsOfJob);
        List<Target> targets = new ArrayList<>();
        for (StateMetaInfoSnapshot info : infos) {
            StateTable table = tables.restore(info, UNKNOWN_SOURCE, KeyGroupRange.EMPTY_KEY_GROUP_RANGE);
            targets.add(new Target(CompositeKey.of(table, keySerializer, prefixBytes), table.kind()));
        }
        return targets;
    }

    private void readKeyGroup(KeyGroup keyGroup, List<Target> targets)
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

    private void readRow(KeyGroupEntry row, int keyGroup, List<Target> targets)
            throws IOException, StateMigrationException {
        Target target = targets.get(row.getKvStateId());
        EntryKey entry = target.key.fromCanonical(row.getKey(), keyGroup);
        byte[] value = target.kind == TableKind.LIST ? ListLayout.fromCanonical(row.getValue()) : row.getValue();
        store.put(entry, value, 0, value.length);
    }

    private record Target(CompositeKey key, TableKind kind) {}
}
