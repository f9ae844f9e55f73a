package io.drey.flink.state.snapshot;

import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreImage.FileInfo;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProvider;
import org.apache.flink.runtime.state.SnapshotDirectory;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the local copies of a backend's checkpoints: hard links to its files. On another file system, where there are
 * none, they are hard links to the files of the copy before, and copies of those that are new. Files never change, and
 * no two of a backend have one name. A convenience: what goes wrong here is logged and never fails a checkpoint. Thread
 * safe.
 */
public final class LocalCopies {
    private static final Logger LOG = LoggerFactory.getLogger(LocalCopies.class);

    private final LocalRecoveryConfig config;
    private final String name;

    /** The newest copy, which may be deleted already; null before the first. */
    private volatile Path last;

    private volatile boolean isCopyTold;

    /** @param name tells the backend's copies from others' */
    public LocalCopies(LocalRecoveryConfig config, String name) {
        this.config = config;
        this.name = name;
    }

    /** Where Flink keeps local copies, or null if it keeps none. */
    LocalSnapshotDirectoryProvider directories() {
        return config.isLocalBackupEnabled()
                ? config.getLocalStateDirectoryProvider().orElse(null)
                : null;
    }

    /** Makes a copy, or returns null if it is not wanted or not possible: also while restored files are to come. */
    LocalCopy make(long checkpointId, InstanceDirectory source, List<FileInfo> files) {
        LocalSnapshotDirectoryProvider directories = directories();
        if (directories == null
                || !files.stream().allMatch(file -> source.files().isWhole(file.name()))) {
            return null;
        }
        File checkpoint = directories.subtaskSpecificCheckpointDirectory(checkpointId);
        Path target = checkpoint.toPath().resolve(name);
        try {
            FileUtils.deleteDirectory(target.toFile());
            Files.createDirectories(target);
            Path before = last;
            for (FileInfo file : files) {
                take(source.path(file.name()), before, target.resolve(file.name()));
            }
            last = target;
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

    private void take(Path source, Path before, Path target) throws IOException {
        if (isLinked(source, target) || (before != null && isLinked(before.resolve(target.getFileName()), target))) {
            return;
        }
        if (!isCopyTold) {
            isCopyTold = true;
            LOG.warn(
                    "Each checkpoint copies its new files to {}, because no hard links to {} can be made there. Set"
                            + " execution.checkpointing.local-backup.dirs to a directory on the file system of"
                            + " state.backend.drey.local-dir.",
                    target.getParent(),
                    source.getParent());
        }
        Files.copy(source, target);
    }

    private static boolean isLinked(Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
            return true;
        } catch (UnsupportedOperationException | IOException e) {
            Files.deleteIfExists(target);
            return false;
        }
    }
}
