package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.UploadLedger;
import io.drey.checkpoint.upload.UploadPlan;
import io.drey.store.StoreImage.FileInfo;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Decides which files of a checkpoint refer to uploads of earlier ones, in Flink's terms: sharing strategies,
 * placeholders and the storage's say. Thread safe: the task's thread is told how checkpoints ended, another one
 * uploads.
 */
public final class SharedFiles {
    private final UploadLedger<StreamStateHandle> ledger;
    private long lastConfirmed = Long.MIN_VALUE;

    private SharedFiles(UploadLedger<StreamStateHandle> ledger) {
        this.ledger = ledger;
    }

    /**
     * Starts with what the restored checkpoint refers to. Its number counts for nothing: materializations under the
     * changelog wrapper number themselves.
     */
    public static SharedFiles restored(Map<String, StreamStateHandle> handles) {
        return new SharedFiles(UploadLedger.restored(Long.MIN_VALUE, handles));
    }

    /**
     * Gives a checkpoint its place in the order, in its synchronous part. A savepoint is on its own, and so is a
     * checkpoint that a later one has overtaken.
     */
    synchronized void enter(long checkpointId, SharingFilesStrategy strategy, CheckpointStreamFactory streams) {
        if (strategy == SharingFilesStrategy.NO_SHARING || checkpointId <= lastConfirmed) {
            return;
        }
        ledger.abort(checkpointId);
        ledger.enter(
                checkpointId,
                strategy == SharingFilesStrategy.FORWARD
                        ? handle -> false
                        : handle -> streams.couldReuseStateHandle(placeholder(handle)));
    }

    /** Decides what a checkpoint uploads and what it refers to. */
    synchronized UploadPlan<StreamStateHandle> plan(long checkpointId, List<FileInfo> files) {
        return ledger.plan(checkpointId, files.stream().map(FileInfo::name).toList());
    }

    /** The uploads of a checkpoint are done. */
    synchronized void uploaded(long checkpointId, Map<String, StreamStateHandle> handles) {
        if (ledger.pending().contains(checkpointId) && !ledger.uploaded(checkpointId, handles)) {
            throw new IllegalStateException("expected checkpoint " + checkpointId + " to be pending, found it gone");
        }
    }

    /** The checkpoint is complete on all tasks. */
    public synchronized void confirm(long checkpointId) {
        if (ledger.pending().contains(checkpointId)) {
            ledger.confirm(checkpointId);
            lastConfirmed = checkpointId;
        }
    }

    /** The checkpoint failed, here or elsewhere. */
    public synchronized void abort(long checkpointId) {
        ledger.abort(checkpointId);
    }

    /** What stands for an earlier upload until the job manager, which knows the upload, replaces it. */
    static StreamStateHandle placeholder(StreamStateHandle handle) {
        return new PlaceholderStreamStateHandle(
                handle.getStreamStateHandleID(),
                handle.getStateSize(),
                FileMergingSnapshotManager.isFileMergingHandle(handle));
    }
}
