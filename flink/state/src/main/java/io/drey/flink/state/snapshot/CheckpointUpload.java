package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.UploadPlan;
import io.drey.flink.state.snapshot.CheckpointStrategy.Config;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointStreamWithResultProvider;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategy.SnapshotResultSupplier;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.util.IOUtils;

/**
 * The asynchronous part of one checkpoint:
 *
 * <ol>
 *   <li>wait until all of the snapshot is in files;
 *   <li>keep them locally, if the job wants that;
 *   <li>decide which files refer to earlier uploads, and upload the others;
 *   <li>write the manifest, and hand out the handles.
 * </ol>
 *
 * A failure at any point discards all that was written for this checkpoint. Made in the synchronous part, so that
 * checkpoints stand in the order of their barriers, however late this one runs: once, in one thread.
 */
final class CheckpointUpload<K> implements SnapshotResultSupplier<KeyedStateHandle> {
    private final CheckpointSnapshot snapshot;
    private final long checkpointId;
    private final CheckpointStreamFactory streams;
    private final SharingFilesStrategy strategy;
    private final InstanceDirectory directory;
    private final SharedFiles sharedFiles;
    private final Config<K> config;

    private Map<String, StreamStateHandle> uploaded = Map.of();
    private LocalCopy localCopy;
    private SnapshotResult<StreamStateHandle> meta;

    CheckpointUpload(
            CheckpointSnapshot snapshot,
            long checkpointId,
            CheckpointStreamFactory streams,
            SharingFilesStrategy strategy,
            InstanceDirectory directory,
            SharedFiles sharedFiles,
            Config<K> config) {
        this.snapshot = snapshot;
        this.checkpointId = checkpointId;
        this.streams = streams;
        this.strategy = config.incremental() ? strategy : SharingFilesStrategy.NO_SHARING;
        this.directory = directory;
        this.sharedFiles = sharedFiles;
        this.config = config;
        sharedFiles.enter(checkpointId, this.strategy, streams);
    }

    @Override
    public SnapshotResult<KeyedStateHandle> get(CloseableRegistry cancellation) throws Exception {
        boolean done = false;
        try {
            snapshot.pinned().store().await();
            List<FileInfo> files = snapshot.pinned().store().files();
            localCopy = LocalCopy.make(config.localRecovery(), checkpointId, config.backendId(), directory, files);
            UploadPlan<StreamStateHandle> plan = sharedFiles.plan(checkpointId, files);
            uploaded = upload(files, plan, cancellation);
            meta = writeMeta(cancellation);
            SnapshotResult<KeyedStateHandle> result = result(plan);
            sharedFiles.uploaded(checkpointId, uploaded);
            streams.reusePreviousStateHandle(plan.reused().values().stream()
                    .map(SharedFiles::placeholder)
                    .toList());
            done = true;
            return result;
        } finally {
            if (!done) {
                discard();
            }
        }
    }

    private Map<String, StreamStateHandle> upload(
            List<FileInfo> files, UploadPlan<StreamStateHandle> plan, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Set<String> names = Set.copyOf(plan.uploads());
        List<FileInfo> wanted =
                files.stream().filter(file -> names.contains(file.name())).toList();
        CheckpointedStateScope scope = strategy == SharingFilesStrategy.NO_SHARING
                ? CheckpointedStateScope.EXCLUSIVE
                : CheckpointedStateScope.SHARED;
        return new FileUploads(directory.files(), config.executor(), config.transferThreads(), config.io())
                .upload(wanted, streams, scope, cancellation);
    }

    private SnapshotResult<StreamStateHandle> writeMeta(CloseableRegistry cancellation) throws IOException {
        byte[] bytes = CheckpointFormat.encode(
                config.backendId(),
                checkpointId,
                config.keyGroups(),
                snapshot.pinned().store().image(),
                directory.files()::checksum,
                config.keySerializer(),
                snapshot.infos());
        CheckpointStreamWithResultProvider stream = localCopy == null
                ? CheckpointStreamWithResultProvider.createSimpleStream(CheckpointedStateScope.EXCLUSIVE, streams)
                : CheckpointStreamWithResultProvider.createDuplicatingStream(
                        checkpointId,
                        CheckpointedStateScope.EXCLUSIVE,
                        streams,
                        config.localRecovery()
                                .getLocalStateDirectoryProvider()
                                .orElseThrow(LocalRecoveryConfig.localRecoveryNotEnabled()));
        try {
            cancellation.registerCloseable(stream);
            stream.getCheckpointOutputStream().write(bytes);
            config.io().wrote(1, bytes.length);
            if (!cancellation.unregisterCloseable(stream)) {
                throw new IOException("checkpoint " + checkpointId + " was cancelled");
            }
            SnapshotResult<StreamStateHandle> result = stream.closeAndFinalizeCheckpointStreamResult();
            if (result.getJobManagerOwnedSnapshot() == null) {
                throw new IOException("expected a handle of the manifest of checkpoint " + checkpointId
                        + ", found none: the checkpoint storage stored nothing");
            }
            return result;
        } finally {
            cancellation.unregisterCloseable(stream);
            IOUtils.closeQuietly(stream);
        }
    }

    private SnapshotResult<KeyedStateHandle> result(UploadPlan<StreamStateHandle> plan) throws IOException {
        List<HandleAndLocalPath> files = new ArrayList<>();
        long uploadedBytes = meta.getStateSize();
        for (Map.Entry<String, StreamStateHandle> file : plan.reused().entrySet()) {
            files.add(HandleAndLocalPath.of(SharedFiles.placeholder(file.getValue()), file.getKey()));
        }
        for (Map.Entry<String, StreamStateHandle> file : uploaded.entrySet()) {
            files.add(HandleAndLocalPath.of(file.getValue(), file.getKey()));
            uploadedBytes += file.getValue().getStateSize();
        }
        // The files of a full checkpoint are its own; those of a native savepoint are listed as shared all the same, as
        // RocksDB does, because Flink's tools expect them there.
        KeyedStateHandle remote = new IncrementalRemoteKeyedStateHandle(
                config.backendId(),
                config.keyGroups(),
                checkpointId,
                config.incremental() ? files : List.of(),
                config.incremental() ? List.of() : files,
                meta.getJobManagerOwnedSnapshot(),
                uploadedBytes);
        if (localCopy == null) {
            return SnapshotResult.of(remote);
        }
        if (meta.getTaskLocalSnapshot() == null) {
            // Files without their manifest are of no use.
            localCopy.discard();
            return SnapshotResult.of(remote);
        }
        return SnapshotResult.withLocalState(
                remote,
                new IncrementalLocalKeyedStateHandle(
                        config.backendId(),
                        checkpointId,
                        localCopy.complete(),
                        config.keyGroups(),
                        meta.getTaskLocalSnapshot(),
                        config.incremental() ? files : List.of()));
    }

    private void discard() {
        sharedFiles.abort(checkpointId);
        uploaded.values().forEach(StateUtil::discardStateObjectQuietly);
        if (meta != null) {
            StateUtil.discardStateObjectQuietly(meta);
        }
        if (localCopy != null) {
            localCopy.discard();
        }
    }
}
