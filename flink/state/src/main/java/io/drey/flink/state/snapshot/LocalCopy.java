package io.drey.flink.state.snapshot;

import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreImage.FileInfo;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.flink.runtime.state.DirectoryStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProvider;
import org.apache.flink.runtime.state.SnapshotDirectory;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A checkpoint's files kept on the local disk, so that a restarted task finds them there: hard links, or copies where
 * the file system has none. A convenience: what goes wrong here is logged and never fails a checkpoint.
 */
final class LocalCopy {
    private static final Logger LOG = LoggerFactory.getLogger(LocalCopy.class);

    private final SnapshotDirectory directory;

    private LocalCopy(SnapshotDirectory directory) {
        this.directory = directory;
    }

    /** Makes the copy, or returns null if it is not wanted or not possible: also while restored files are to come. */
    static LocalCopy make(
            LocalRecoveryConfig config,
            long checkpointId,
            UUID backendId,
            InstanceDirectory source,
            List<FileInfo> files) {
        LocalSnapshotDirectoryProvider provider = config.isLocalBackupEnabled()
                ? config.getLocalStateDirectoryProvider().orElse(null)
                : null;
        if (provider == null || !files.stream().allMatch(file -> source.files().isWhole(file.name()))) {
            return null;
        }
        File checkpoint = provider.subtaskSpecificCheckpointDirectory(checkpointId);
        Path target = checkpoint.toPath().resolve(backendId.toString().replace("-", ""));
        try {
            FileUtils.deleteDirectory(target.toFile());
            Files.createDirectories(target);
            for (FileInfo file : files) {
                linkOrCopy(source.path(file.name()), target.resolve(file.name()));
            }
            return new LocalCopy(SnapshotDirectory.permanent(target));
        } catch (IOException e) {
            LOG.warn(
                    "Checkpoint {} is not kept locally in {}: a restart will download it from the checkpoint storage.",
                    checkpointId,
                    target,
                    e);
            FileUtils.deleteDirectoryQuietly(target.toFile());
            return null;
        }
    }

    private static void linkOrCopy(Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
        } catch (UnsupportedOperationException | IOException e) {
            Files.deleteIfExists(target);
            Files.copy(source, target);
        }
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
