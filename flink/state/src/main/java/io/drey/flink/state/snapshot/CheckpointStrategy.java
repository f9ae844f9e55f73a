package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.SecondAttempts;
import io.drey.files.IoCounts;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.PinnedSnapshot;
import io.drey.flink.state.task.TaskThread;
import io.drey.flink.state.task.Time;
import io.drey.store.Store;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * Takes checkpoints and native savepoints: freezes the store in the task's thread, and leaves everything else to a
 * {@link CheckpointUpload} in another.
 */
public final class CheckpointStrategy<K> implements CheckpointRun.Strategy<CheckpointSnapshot>, AutoCloseable {
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
    private final FileUploads uploads;
    private final CheckpointPreparation preparation;

    /**
     * Settings that all checkpoints of a backend have in common.
     *
     * @param backendId tells the backend's checkpoints from others'
     * @param generation restores that are behind the backend
     * @param incremental whether checkpoints share files
     * @param preparedNanosMin those that take as long are prepared before their barriers; the largest number: none is
     * @param localCopies makes those of its checkpoints
     * @param uploads has threads that write into the storage, or refuses
     * @param transferThreads files uploaded at the same time
     * @param naming names of files in the checkpoint storage
     * @param packs those of the process
     * @param io reads of local files, and writes into checkpoints
     * @param time by which they are prepared, and uploads are timed
     */
    public record Config<K>(
            UUID backendId,
            int generation,
            KeyGroupRange keyGroups,
            TypeSerializer<K> keySerializer,
            boolean incremental,
            long preparedNanosMin,
            LocalCopies localCopies,
            Executor executor,
            Executor uploads,
            int transferThreads,
            FileNaming naming,
            Packs packs,
            IoCounts io,
            Time time) {}

    public CheckpointStrategy(
            Store store,
            StateTables tables,
            InstanceDirectory directory,
            SharedFiles sharedFiles,
            TaskThread task,
            Config<K> config) {
        this.store = store;
        this.tables = tables;
        this.directory = directory;
        this.sharedFiles = sharedFiles;
        this.config = config;
        this.uploads = new FileUploads(
                directory.files(),
                config.uploads(),
                config.transferThreads(),
                config.packs(),
                config.naming().task(),
                config.io(),
                sharedFiles.trash(),
                uploadTimes,
                config.time());
        this.preparation = new CheckpointPreparation(store, task, directory, sharedFiles, uploads, config);
    }

    /** How checkpoints are prepared. */
    public CheckpointPreparation preparation() {
        return preparation;
    }

    /** What checkpoints have read and written so far; any thread. */
    public IoCounts io() {
        return config.io();
    }

    /** Further attempts of slow writes; any thread. */
    public SecondAttempts secondAttempts() {
        return uploads.second();
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
            uploads.close();
            return NO_STATE;
        }
        SharingFilesStrategy strategy = options.getCheckpointType().getSharingFilesStrategy();
        uploadTimes.barrier(config.time().nanos(), strategy == SharingFilesStrategy.FORWARD_BACKWARD);
        return new CheckpointUpload<>(
                snapshot,
                checkpointId,
                streams,
                strategy,
                directory,
                sharedFiles,
                uploads,
                preparation.barrier(strategy, streams),
                config);
    }

    /** Ends what is prepared, and the uploads that no checkpoint lists. */
    @Override
    public void close() {
        try {
            preparation.close();
        } finally {
            uploads.close();
            sharedFiles.close();
            config.localCopies().close();
        }
    }
}
