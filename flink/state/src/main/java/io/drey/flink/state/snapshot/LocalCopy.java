package io.drey.flink.state.snapshot;

import java.io.IOException;
import org.apache.flink.runtime.state.DirectoryStateHandle;
import org.apache.flink.runtime.state.SnapshotDirectory;
import org.apache.flink.util.FileUtils;

/** A checkpoint's files kept on the local disk, so that a restarted task finds them there. */
final class LocalCopy {
    private final SnapshotDirectory directory;

    LocalCopy(SnapshotDirectory directory) {
        this.directory = directory;
    }

    /** The handle of the finished copy. */
    DirectoryStateHandle complete() throws IOException {
        return directory.completeSnapshotAndGetHandle();
    }

    /** Deletes the copy of a checkpoint that failed. */
    void discard() {
        FileUtils.deleteDirectoryQuietly(directory.getDirectory().toFile());
    }
}
