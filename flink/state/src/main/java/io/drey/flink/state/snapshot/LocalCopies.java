package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.Writes;
import io.drey.files.local.LocalDirectory;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreImage.FileInfo;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProvider;
import org.apache.flink.runtime.state.SnapshotDirectory;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the local copies of a backend's checkpoints: hard links to its files. On another file system, where there are
 * none, they are hard links to the files of the copies before, and copies of those that are new. Files never change, and
 * no two of a backend have one name. A convenience: what goes wrong here is logged and never fails a checkpoint, and what
 * takes long goes on at the next one. Thread safe.
 */
public final class LocalCopies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalCopies.class);

    /** A checkpoint waits for its copy: after so long no further file is copied for it. */
    static final long COPYING_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    /** Of an aborted checkpoint the copy is deleted: those before it are as good. */
    private static final int RECENT_MAX = 4;

    private final LocalRecoveryConfig config;
    private final String name;
    private final Writes.Clock clock;

    /** The newest copies, the last first; they may be deleted already. */
    private final ArrayDeque<Path> recent = new ArrayDeque<>();

    /** The last one if it lacks files: nobody else knows of it; or null. */
    private final AtomicReference<Path> unfinished = new AtomicReference<>();

    private volatile boolean closed;
    private boolean isCopyTold;
    private boolean isLackTold;

    /** @param name tells the backend's copies from others' */
    public LocalCopies(LocalRecoveryConfig config, String name, Writes.Clock clock) {
        this.config = config;
        this.name = name;
        this.clock = clock;
    }

    /** Where Flink keeps local copies, or null if it keeps none. */
    LocalSnapshotDirectoryProvider directories() {
        return config.isLocalBackupEnabled()
                ? config.getLocalStateDirectoryProvider().orElse(null)
                : null;
    }

    /** Makes a copy, or returns null if it is not wanted or not possible: also while restored files are to come. */
    synchronized LocalCopy make(long checkpointId, InstanceDirectory source, List<FileInfo> files) {
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
            long begin = clock.nanos();
            int lacking = 0;
            for (FileInfo file : files) {
                lacking += isTaken(source.path(file.name()), target.resolve(file.name()), begin) ? 0 : 1;
            }
            made(target, lacking > 0);
            if (lacking > 0 && !closed) {
                tellLack(checkpointId, target, lacking, files.size());
            }
            return lacking > 0 ? null : new LocalCopy(SnapshotDirectory.permanent(target));
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

    /** A copy that lacks files is deleted with the next one, which has links to what it has. */
    private void made(Path target, boolean lacksFiles) {
        replaceUnfinished(lacksFiles ? target : null);
        if (closed) {
            replaceUnfinished(null);
        }
        recent.addFirst(target);
        if (recent.size() > RECENT_MAX) {
            recent.removeLast();
        }
    }

    private void replaceUnfinished(Path next) {
        Path before = unfinished.getAndSet(next);
        if (before != null) {
            FileUtils.deleteDirectoryQuietly(before.toFile());
        }
    }

    /** Deletes what nobody else knows of; one that is being made ends soon. */
    @Override
    public void close() {
        closed = true;
        replaceUnfinished(null);
    }

    private void tellLack(long checkpointId, Path target, int lacking, int files) {
        if (!isLackTold) {
            isLackTold = true;
            LOG.warn(
                    "Checkpoint {} is not kept locally in {}: {} of its {} files are not there yet, and copying others"
                            + " took {} s. Until a checkpoint has them all, a restart downloads.",
                    checkpointId,
                    target,
                    lacking,
                    files,
                    TimeUnit.NANOSECONDS.toSeconds(COPYING_NANOS_MAX));
        }
    }

    private boolean isTaken(Path source, Path target, long beginNanos) throws IOException {
        if (LocalDirectory.link(source, target)) {
            return true;
        }
        for (Path copy : recent) {
            if (LocalDirectory.link(copy.resolve(target.getFileName()), target)) {
                return true;
            }
        }
        if (closed || clock.nanos() - beginNanos >= COPYING_NANOS_MAX) {
            return false;
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
        return true;
    }
}
