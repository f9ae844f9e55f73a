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

    /** Decides what a checkpoint uploads and what it refers to. */
    synchronized UploadPlan<StreamStateHandle> begin(
            long checkpointId, List<FileInfo> files, SharingFilesStrategy strategy, CheckpointStreamFactory streams) {
        List<String> names = files.stream().map(FileInfo::name).toList();
        if (strategy == SharingFilesStrategy.NO_SHARING || checkpointId <= lastConfirmed) {
            // A savepoint is on its own, and so is a checkpoint that a later one has overtaken.
            return new UploadPlan<>(Map.of(), names);
        }
        ledger.abort(checkpointId);
        return strategy == SharingFilesStrategy.FORWARD
                ? ledger.begin(checkpointId, names, handle -> false)
                : ledger.begin(checkpointId, names, handle -> streams.couldReuseStateHandle(placeholder(handle)));
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
