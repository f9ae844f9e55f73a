package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.Listing;
import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import io.drey.flink.state.pack.SectionHandle;
import io.drey.flink.state.snapshot.CheckpointStrategy.Config;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointStreamWithResultProvider;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous part of one checkpoint:
 *
 * <ol>
 *   <li>wait until all of the snapshot is in files;
 *   <li>keep them locally, if the job wants that;
 *   <li>claim what lies in other jobs' directories, once;
 *   <li>bring here what is still far away and not in it, if an older snapshot may read it: it may be deleted there;
 *   <li>list them, and upload those that nobody has uploaded yet;
 *   <li>write the manifest, and hand out the handles.
 * </ol>
 *
 * A failure at any point withdraws the checkpoint. Made in the synchronous part, so that checkpoints stand in the order
 * of their barriers, however late this one runs: once, in one thread.
 */
final class CheckpointUpload<K> implements CheckpointRun {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointUpload.class);
    private static final long NANOS_PER_MS = 1_000_000;

    private final CheckpointSnapshot snapshot;
    private final long checkpointId;
    private final CheckpointStreamFactory streams;
    private final SharingFilesStrategy strategy;
    private final InstanceDirectory directory;
    private final SharedFiles sharedFiles;
    private final FileUploads uploads;
    private final CheckpointPreparation.Barrier barrier;
    private final Config<K> config;
    private final Listing<StreamStateHandle> listing;
    private final FileUploads.Coming coming;

    /** What it has uploaded itself, by file. */
    private Map<String, StreamStateHandle> uploaded = Map.of();

    private LocalCopy localCopy;
    private SnapshotResult<StreamStateHandle> meta;

    /** Whether nobody will hear of it, and whether its own things are complete; under the lock of this. */
    private boolean withdrawn;

    private boolean complete;

    CheckpointUpload(
            CheckpointSnapshot snapshot,
            long checkpointId,
            CheckpointStreamFactory streams,
            SharingFilesStrategy strategy,
            InstanceDirectory directory,
            SharedFiles sharedFiles,
            FileUploads uploads,
            CheckpointPreparation.Barrier barrier,
            Config<K> config) {
        this.snapshot = snapshot;
        this.checkpointId = checkpointId;
        this.streams = streams;
        this.strategy = config.incremental() ? strategy : SharingFilesStrategy.NO_SHARING;
        this.directory = directory;
        this.sharedFiles = sharedFiles;
        this.uploads = uploads;
        this.barrier = barrier;
        this.config = config;
        this.listing = sharedFiles.enter(checkpointId, this.strategy, streams);
        this.coming = uploads.coming();
        if (this.strategy == SharingFilesStrategy.NO_SHARING || !FileNaming.isPossible(streams)) {
            coming.close();
        }
    }

    @Override
    public SnapshotResult<KeyedStateHandle> get(CloseableRegistry cancellation) throws Exception {
        boolean done = false;
        try {
            long began = config.time().nanos();
            snapshot.pinned().store().await();
            long flushed = config.time().nanos();
            List<FileInfo> files = snapshot.pinned().store().files();
            localCopy = config.localCopies().make(checkpointId, directory, files);
            barrier.awaitRounds();
            if (strategy == SharingFilesStrategy.FORWARD_BACKWARD) {
                sharedFiles.foreign().claim(streams);
            }
            List<String> names = files.stream().map(FileInfo::name).toList();
            // Once this one is complete, the job manager may delete what it does not list.
            directory.files().completeExcept(names);
            listing.decide(names);
            long listed = config.time().nanos();
            upload(files, cancellation);
            barrier.stored();
            long stored = config.time().nanos();
            meta = writeMeta(cancellation);
            LOG.debug(
                    "Checkpoint {} of {}: flushed for {} ms, {} ms until its files were listed, {} of {} files with {}"
                            + " bytes uploaded in {} ms, manifest in {} ms",
                    checkpointId,
                    config.keyGroups(),
                    (flushed - began) / NANOS_PER_MS,
                    (listed - flushed) / NANOS_PER_MS,
                    uploaded.size(),
                    files.size(),
                    uploadedBytes(),
                    (stored - listed) / NANOS_PER_MS,
                    (config.time().nanos() - stored) / NANOS_PER_MS);
            SnapshotResult<KeyedStateHandle> result = result();
            complete();
            done = true;
            return result;
        } finally {
            coming.close();
            if (!done) {
                listing.withdraw();
                discardOwn();
            }
        }
    }

    private CheckpointedStateScope scope() {
        return strategy == SharingFilesStrategy.NO_SHARING
                ? CheckpointedStateScope.EXCLUSIVE
                : CheckpointedStateScope.SHARED;
    }

    private void upload(List<FileInfo> files, CloseableRegistry cancellation) throws IOException, InterruptedException {
        FileUploads.Streams named = config.naming().streams(streams, scope(), listing.first(), sharedFiles.trash());
        uploaded = uploads.upload(files, listing, named, coming, cancellation);
    }

    private SnapshotResult<StreamStateHandle> writeMeta(CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Map<String, Listing.Reference<StreamStateHandle>> references = listing.references();
        byte[] bytes = CheckpointFormat.encode(
                config.backendId(),
                config.generation(),
                checkpointId,
                config.keyGroups(),
                snapshot.pinned().store().image(),
                directory.files()::checksum,
                file -> SectionHandle.offset(references.get(file).handle()),
                config.keySerializer(),
                snapshot.infos());
        return uploads.write(List.of(new MetaWrite(bytes)), this::discardMeta, cancellation)
                .get(0);
    }

    /** The manifest, with its local copy if there is one of the files. */
    private final class MetaWrite implements Write<SnapshotResult<StreamStateHandle>> {
        private final byte[] bytes;
        private final boolean named;

        MetaWrite(byte[] bytes) {
            this.bytes = bytes;
            this.named = config.naming().isNamed(streams, scope(), listing.first(), bytes.length);
        }

        @Override
        public boolean mayBeOutrun() {
            return named;
        }

        @Override
        public long bytes() {
            return bytes.length;
        }

        @Override
        public SnapshotResult<StreamStateHandle> run(Attempt attempt) throws IOException {
            CheckpointStreamWithResultProvider stream = open();
            try {
                stream.getCheckpointOutputStream().write(bytes);
                attempt.wrote(bytes.length);
                config.io().wrote(1, bytes.length);
                SnapshotResult<StreamStateHandle> result = stream.closeAndFinalizeCheckpointStreamResult();
                if (result.getJobManagerOwnedSnapshot() == null) {
                    throw new IOException("expected a handle of the manifest of checkpoint " + checkpointId
                            + ", found none: the checkpoint storage stored nothing");
                }
                return result;
            } finally {
                FileUploads.close(stream);
            }
        }

        private CheckpointStreamWithResultProvider open() throws IOException {
            CheckpointStreamFactory target =
                    named ? config.naming().ofManifest(streams, checkpointId, sharedFiles.trash()) : streams;
            return localCopy == null
                    ? CheckpointStreamWithResultProvider.createSimpleStream(CheckpointedStateScope.EXCLUSIVE, target)
                    : CheckpointStreamWithResultProvider.createDuplicatingStream(
                            checkpointId,
                            CheckpointedStateScope.EXCLUSIVE,
                            target,
                            config.localCopies().directories());
        }
    }

    private SnapshotResult<KeyedStateHandle> result() throws IOException {
        List<HandleAndLocalPath> files = new ArrayList<>();
        List<StreamStateHandle> placeholders = new ArrayList<>();
        listing.references().forEach((file, reference) -> {
            StreamStateHandle placeholder = SharedFiles.placeholder(reference.handle());
            files.add(HandleAndLocalPath.of(
                    reference.confirmed() ? placeholder : SectionHandle.listed(reference.handle()), file));
            if (!uploaded.containsKey(file)) {
                placeholders.add(placeholder);
            }
        });
        streams.reusePreviousStateHandle(placeholders);
        // The files of a full checkpoint are its own; those of a native savepoint are listed as shared all the same, as
        // RocksDB does, because Flink's tools expect them there.
        KeyedStateHandle remote = new IncrementalRemoteKeyedStateHandle(
                config.backendId(),
                config.keyGroups(),
                checkpointId,
                config.incremental() ? files : List.of(),
                config.incremental() ? List.of() : files,
                meta.getJobManagerOwnedSnapshot(),
                barrier.uploadedBytes() + uploadedBytes() + meta.getStateSize());
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

    private long uploadedBytes() {
        return uploaded.values().stream()
                .mapToLong(StreamStateHandle::getStateSize)
                .sum();
    }

    private synchronized void complete() {
        if (withdrawn) {
            throw new CancellationException("checkpoint " + checkpointId + " was cancelled");
        }
        complete = true;
    }

    @Override
    public void withdraw() {
        coming.close();
        listing.withdraw();
        synchronized (this) {
            // While it still runs it will find out by itself.
            if (!withdrawn && complete) {
                discardOwn();
            }
            withdrawn = true;
        }
    }

    /** Deletes what no other checkpoint lists: the manifest and the local copy. */
    private void discardOwn() {
        if (meta != null) {
            discardMeta(meta);
        }
        if (localCopy != null) {
            localCopy.discard();
        }
    }

    private void discardMeta(SnapshotResult<StreamStateHandle> manifest) {
        sharedFiles.trash().accept(manifest.getJobManagerOwnedSnapshot());
        if (manifest.getTaskLocalSnapshot() != null) {
            sharedFiles.trash().accept(manifest.getTaskLocalSnapshot());
        }
    }
}
