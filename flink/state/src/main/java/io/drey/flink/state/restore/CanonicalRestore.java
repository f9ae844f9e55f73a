package io.drey.flink.state.restore;

import io.drey.flink.state.canonical.CanonicalReader;
import io.drey.flink.state.memory.StoreLease;
import io.drey.flink.state.restore.BackendRestore.Target;
import io.drey.flink.state.snapshot.SharedFiles;
import io.drey.flink.state.table.StateTables;
import io.drey.store.Store;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateSerializerProvider;
import org.apache.flink.runtime.state.restore.FullSnapshotRestoreOperation;
import org.apache.flink.runtime.state.restore.SavepointRestoreResult;
import org.apache.flink.runtime.state.restore.ThrowingIterator;

/** Restores from canonical savepoints: a store, filled row by row. */
final class CanonicalRestore<K> {
    private final StoreLease lease;
    private final Target<K> target;

    CanonicalRestore(StoreLease lease, Target<K> target) {
        this.lease = lease;
        this.target = target;
    }

    RestoredBackend restore(List<KeyedStateHandle> handles) throws Exception {
        long began = System.nanoTime();
        Store store = lease.open(target.keyGroups(), List.of());
        StateTables tables = new StateTables(store);
        fill(store, tables, handles, target.keySerializer());
        RestoreReport report = new RestoreReport(
                RestoreReport.Source.CANONICAL_SAVEPOINT,
                List.of(),
                handles.size(),
                handles.stream().mapToLong(KeyedStateHandle::getStateSize).sum(),
                0,
                new RestoreReport.Times(0, 0, System.nanoTime() - began));
        return new RestoredBackend(
                store, tables, SharedFiles.restored(Map.of(), target.executor()), target.downloads(), 0, report);
    }

    /** The same into a store that has the other key groups, restored with a key serializer that was compared then. */
    void add(List<KeyedStateHandle> handles, Store store, StateTables tables) throws Exception {
        TypeSerializer<K> serializer = target.keySerializer().currentSchemaSerializer();
        fill(store, tables, handles, StateSerializerProvider.fromNewRegisteredSerializer(serializer));
    }

    private void fill(
            Store store, StateTables tables, List<KeyedStateHandle> handles, StateSerializerProvider<K> keySerializer)
            throws Exception {
        CanonicalReader reader = new CanonicalReader(store, tables, target.keyGroupsOfJob());
        List<KeyedStateHandle> ahead = handles.stream()
                .<KeyedStateHandle>map(part -> new ReadAheadSavepoint((KeyGroupsSavepointStateHandle) part))
                .toList();
        FullSnapshotRestoreOperation<K> operation =
                new FullSnapshotRestoreOperation<>(target.keyGroups(), target.classLoader(), ahead, keySerializer);
        try (ThrowingIterator<SavepointRestoreResult> parts = operation.restore()) {
            while (parts.hasNext()) {
                reader.read(parts.next(), keySerializer.currentSchemaSerializer());
            }
        }
        reader.finish();
    }
}
