package io.drey.flink.state.snapshot;

import io.drey.files.IoCounts;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.PinnedSnapshot;
import io.drey.store.Store;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * Takes checkpoints and native savepoints: freezes the store in the task's thread, and leaves everything else to a
 * {@link CheckpointUpload} in another.
 */
public final class CheckpointStrategy<K> implements CheckpointRun.Strategy<CheckpointSnapshot> {
    /** A backend without any state leaves nothing. */
    private static final CheckpointRun NO_STATE = new CheckpointRun() {
        @Override
        public SnapshotResult<KeyedStateHandle> get(CloseableRegistry cancellation) {
            return SnapshotResult.empty();
        }

        @Override
        public void withdraw() {
            // There is nothing to take back.
        }
    };

    private final Store store;
    private final StateTables tables;
    private final InstanceDirectory directory;
    private final Config<K> config;
    private final SharedFiles sharedFiles;
    private final UploadTimes uploadTimes = new UploadTimes();

    /**
     * Settings that all checkpoints of a backend have in common.
     *
     * @param backendId tells the backend's checkpoints from others'
     * @param incremental whether checkpoints share files
     * @param transferThreads files uploaded at the same time
     * @param naming names of files in the checkpoint storage
     * @param io reads of local files, and writes into checkpoints
     */
    public record Config<K>(
            UUID backendId,
            KeyGroupRange keyGroups,
            TypeSerializer<K> keySerializer,
            boolean incremental,
            LocalRecoveryConfig localRecovery,
            Executor executor,
            int transferThreads,
            FileNaming naming,
            IoCounts io) {}

    public CheckpointStrategy(
            Store store, StateTables tables, InstanceDirectory directory, SharedFiles sharedFiles, Config<K> config) {
        this.store = store;
        this.tables = tables;
        this.directory = directory;
        this.sharedFiles = sharedFiles;
        this.config = config;
    }

    /** What checkpoints have read and written so far; any thread. */
    public IoCounts io() {
        return config.io();
    }

    /** How long the uploads of checkpoints take; any thread. */
    public UploadTimes uploadTimes() {
        return uploadTimes;
    }

    @Override
    public CheckpointSnapshot syncPrepareResources(long checkpointId) {
        List<StateMetaInfoSnapshot> infos = tables.snapshot();
        return new CheckpointSnapshot(infos.isEmpty() ? null : PinnedSnapshot.take(store, directory), infos);
    }

    @Override
    public CheckpointRun asyncSnapshot(
            CheckpointSnapshot snapshot,
            long checkpointId,
            long timestamp,
            CheckpointStreamFactory streams,
            CheckpointOptions options) {
        if (snapshot.pinned() == null) {
            return NO_STATE;
        }
        uploadTimes.barrier(System.nanoTime());
        return new CheckpointUpload<>(
                snapshot,
                checkpointId,
                streams,
                options.getCheckpointType().getSharingFilesStrategy(),
                directory,
                sharedFiles,
                uploadTimes,
                config);
    }
}
