package io.drey.cli.demo;

import io.drey.bench.folder.FolderTree;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import io.drey.files.local.DirectoryLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The directories of one run: temporary files, which go away at the end, and checkpoints, of which only what Flink has
 * deleted goes away. Runs at the same time have different temporary directories, each with a lock; what a killed run
 * left in one, whose lock is free then, the next run deletes.
 */
final class WorkDirectory implements AutoCloseable {
    /** Flink's log; it stays after a failure. */
    private static final String LOG = "demo.log";

    private static final String RUN = "drey-run-";

    private final Path root;
    private final Path checkpoints;
    private final boolean isRootOurs;
    private final boolean areCheckpointsOurs;
    private Path run;
    private DirectoryLock lock;
    private Path ofJob;

    private WorkDirectory(Path root, Path checkpoints) {
        this.root = root.toAbsolutePath();
        this.checkpoints = (checkpoints == null ? this.root.resolve("checkpoints") : checkpoints).toAbsolutePath();
        this.isRootOurs = !Files.exists(this.root);
        this.areCheckpointsOurs = checkpoints == null || !Files.exists(checkpoints);
    }

    /**
     * Makes the directories of a run.
     *
     * @param checkpoints null for the usual place
     */
    static WorkDirectory make(Path root, Path checkpoints) throws CommandException {
        WorkDirectory made = new WorkDirectory(root, checkpoints);
        boolean isAtWork = true;
        try {
            made.makeRun();
            isAtWork = checkpoints == null;
            Files.createDirectories(made.checkpoints);
            return made;
        } catch (IOException e) {
            CommandException failure = new CommandException(
                    isAtWork
                            ? DirectoryFailure.unusable(made.root, "--work-dir", e)
                            : DirectoryFailure.unusable(made.checkpoints, "--checkpoint-dir", e),
                    e);
            try {
                made.close();
            } catch (IOException left) {
                failure.addSuppressed(left);
            }
            throw failure;
        }
    }

    private void makeRun() throws IOException {
        Files.createDirectories(root);
        // What a killed run left does not hold this one up.
        DirectoryLock.deleteAbandoned(root, RUN, new DirectoryLock.Listener() {});
        Path made = root.resolve(RUN + UUID.randomUUID());
        lock = DirectoryLock.take(made);
        run = Files.createDirectory(made);
        Files.createDirectories(temporary());
        Files.createDirectories(local());
    }

    /** For what is not the state backend's. */
    Path temporary() {
        return run.resolve("tmp");
    }

    /** For the state backend's local files. */
    Path local() {
        return run.resolve("local");
    }

    Path checkpoints() {
        return checkpoints;
    }

    /** From now on a job has a directory below that of the checkpoints. */
    void job(String id) {
        ofJob = checkpoints.resolve(id);
    }

    Path log() {
        return root.resolve(LOG);
    }

    Path root() {
        return root;
    }

    void deleteLog() throws IOException {
        Files.deleteIfExists(log());
    }

    /** Deletes the temporary files, and of what else this run made the directories that are empty. */
    @Override
    public void close() throws IOException {
        if (run != null) {
            FolderTree.delete(run);
        }
        if (lock != null) {
            lock.close();
        }
        if (ofJob != null) {
            FolderTree.deleteEmptyFolders(ofJob);
        }
        if (areCheckpointsOurs) {
            FolderTree.deleteIfEmpty(checkpoints);
        }
        if (isRootOurs) {
            FolderTree.deleteIfEmpty(root);
        }
    }
}
