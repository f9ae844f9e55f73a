package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.Listing;
import io.drey.checkpoint.upload.Listing.Sharing;
import io.drey.checkpoint.upload.Trash;
import io.drey.checkpoint.upload.UploadLedger;
import io.drey.flink.state.pack.SectionHandle;
import io.drey.flink.state.retention.ForeignFiles;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FsMergingCheckpointStorageLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The uploads of one backend, in Flink's terms: sharing strategies, placeholders and the storage's say. Thread safe: the
 * task's thread begins checkpoints and is told how they ended, others upload.
 */
public final class SharedFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SharedFiles.class);

    private final Trash<StreamStateHandle> trash;
    private final UploadLedger<StreamStateHandle> ledger;
    private final ForeignFiles foreign;

    /** Whether a file has stayed behind already: a storage that deletes none would fill the log. */
    private final AtomicBoolean told = new AtomicBoolean();

    private SharedFiles(Map<String, StreamStateHandle> handles, Executor executor) {
        this.trash = new Trash<>(executor, StateObject::discardState, this::tell);
        this.ledger = new UploadLedger<>(handles, trash, SectionHandle::forget);
        this.foreign = new ForeignFiles(handles.values());
    }

    /**
     * Starts with what the restored checkpoint refers to. Its number counts for nothing: materializations under the
     * changelog wrapper number themselves.
     *
     * @param executor has threads that delete
     */
    public static SharedFiles restored(Map<String, StreamStateHandle> handles, Executor executor) {
        return new SharedFiles(handles, executor);
    }

    private void tell(StreamStateHandle handle, Throwable cause) {
        String file = handle.maybeGetPath().map(Object::toString).orElseGet(handle::toString);
        if (told.compareAndSet(false, true)) {
            LOG.warn(
                    "{} could not be deleted and takes space in the checkpoint storage: no checkpoint refers to it. The"
                            + " job may try again within the hour; drey checkpoints audit says what stays. Further"
                            + " files are told of at level debug",
                    file,
                    cause);
        } else {
            LOG.debug("{} could not be deleted either", file, cause);
        }
    }

    /**
     * Gives a checkpoint its place in the order, in its synchronous part. A savepoint is on its own. A storage that
     * merges files deletes by itself what an aborted checkpoint wrote.
     */
    Listing<StreamStateHandle> enter(
            long checkpointId, SharingFilesStrategy strategy, CheckpointStreamFactory streams) {
        if (strategy == SharingFilesStrategy.NO_SHARING) {
            return ledger.alone();
        }
        if (strategy == SharingFilesStrategy.FORWARD) {
            foreign.forget();
        }
        return ledger.enter(checkpointId, strategy == SharingFilesStrategy.FORWARD, sharing(streams));
    }

    /** Takes a place for uploads ahead of the next checkpoint, to be withdrawn once they are done. */
    Listing<StreamStateHandle> ahead(CheckpointStreamFactory streams) {
        return ledger.ahead(sharing(streams));
    }

    private Sharing<StreamStateHandle> sharing(CheckpointStreamFactory streams) {
        return new Sharing<>(
                !(streams instanceof FsMergingCheckpointStorageLocation),
                handle -> streams.couldReuseStateHandle(placeholder(handle))
                        && foreign.mayList(handle)
                        && SectionHandle.isWorthListing(handle));
    }

    /** Files of other jobs' directories, which are claimed before they are listed. */
    ForeignFiles foreign() {
        return foreign;
    }

    /** Takes what nothing refers to. */
    Trash<StreamStateHandle> trash() {
        return trash;
    }

    /** Files that nothing refers to and that are still there; any thread. */
    public long deletionsPending() {
        return trash.size();
    }

    /** The checkpoint is complete on all tasks. */
    public void confirm(long checkpointId) {
        ledger.confirm(checkpointId);
    }

    /** The checkpoint failed, here or elsewhere. */
    public void abort(long checkpointId) {
        ledger.abort(checkpointId);
    }

    /** What stands for an earlier upload until the job manager, which knows the upload, replaces it. */
    static StreamStateHandle placeholder(StreamStateHandle file) {
        StreamStateHandle handle = SectionHandle.listed(file);
        return new PlaceholderStreamStateHandle(
                handle.getStreamStateHandleID(),
                handle.getStateSize(),
                FileMergingSnapshotManager.isFileMergingHandle(handle));
    }

    /** The backend ends, and with it all that may still list its files. */
    @Override
    public void close() {
        ledger.close();
        trash.close();
    }
}
