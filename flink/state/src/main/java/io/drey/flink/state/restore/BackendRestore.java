package io.drey.flink.state.restore;

import io.drey.files.remote.Downloads;
import io.drey.flink.state.memory.StoreLease;
import io.drey.flink.state.snapshot.SharedFiles;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.task.LocalTrust;
import io.drey.store.Store;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateSerializerProvider;

/** Opens the store of a backend on whatever Flink hands it: nothing, canonical savepoints, checkpoints of Drey, or both. */
public final class BackendRestore<K> {
    private final StoreLease lease;
    private final Target<K> target;
    private final CloseableRegistry cancellation;

    /**
     * The backend that is restored into.
     *
     * @param keyGroupsOfJob the job's maximum parallelism
     * @param executor has threads that delete
     * @param transfers has threads that fetch files
     * @param transferThreads files fetched at the same time
     * @param lazy whether it does not wait for files that can be read by range
     * @param downloads takes these
     * @param trust says which local copies need not be compared
     */
    public record Target<K>(
            KeyGroupRange keyGroups,
            int keyGroupsOfJob,
            StateSerializerProvider<K> keySerializer,
            ClassLoader classLoader,
            Executor executor,
            Executor transfers,
            int transferThreads,
            boolean lazy,
            Downloads downloads,
            LocalTrust trust) {}

    public BackendRestore(StoreLease lease, Target<K> target, CloseableRegistry cancellation) {
        this.lease = lease;
        this.target = target;
        this.cancellation = cancellation;
    }

    /** Restores; on failure the lease is the caller's to close. */
    public RestoredBackend restore(Collection<KeyedStateHandle> stateHandles) throws Exception {
        List<KeyedStateHandle> handles =
                stateHandles.stream().filter(Objects::nonNull).toList();
        if (handles.isEmpty()) {
            long began = System.nanoTime();
            Store store = lease.open(target.keyGroups(), List.of());
            StateTables tables = new StateTables(store);
            RestoreReport.Times times = new RestoreReport.Times(0, 0, System.nanoTime() - began);
            return new RestoredBackend(
                    store,
                    tables,
                    SharedFiles.restored(Map.of(), target.executor()),
                    target.downloads(),
                    0,
                    new RestoreReport(RestoreReport.Source.NOTHING, List.of(), 0, 0, 0, times));
        }
        Map<Boolean, List<KeyedStateHandle>> kinds = handles.stream()
                .collect(Collectors.partitioningBy(handle -> handle instanceof KeyGroupsSavepointStateHandle));
        CanonicalRestore<K> canonical = new CanonicalRestore<>(lease, target);
        if (kinds.get(false).isEmpty()) {
            return canonical.restore(handles);
        }
        RestoredBackend restored = new CheckpointRestore<>(lease, target, cancellation).restore(kinds.get(false));
        // Under Flink's changelog, subtasks list the savepoint that they came from until they have materialized.
        canonical.add(kinds.get(true), restored.store(), restored.tables());
        return restored;
    }
}
