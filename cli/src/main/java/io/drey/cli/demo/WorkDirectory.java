package io.drey.cli.demo;

import io.drey.bench.folder.FolderTree;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directories of one run: temporary files, which go away at the end, and checkpoints, of which only what Flink has
 * deleted goes away. Runs at the same time have different temporary directories.
 */
final class WorkDirectory implements AutoCloseable {
    /** Flink's log; it stays after a failure. */
    private static final String LOG = "demo.log";

    private final Path root;
    private final Path run;
    private final Path checkpoints;

    private WorkDirectory(Path root, Path checkpoints) {
        this.root = root.toAbsolutePath();
        this.run = this.root.resolve("run-" + ProcessHandle.current().pid());
        this.checkpoints = (checkpoints == null ? this.root.resolve("checkpoints") : checkpoints).toAbsolutePath();
    }

    /**
     * Makes the directories of a run.
     *
     * @param checkpoints null for the usual place
     */
    static WorkDirectory make(Path root, Path checkpoints) throws CommandException {
        WorkDirectory made = new WorkDirectory(root, checkpoints);
        made.make(made.temporary(), "--work-dir");
        made.make(made.local(), "--work-dir");
        made.make(made.checkpoints, checkpoints == null ? "--work-dir" : "--checkpoint-dir");
        return made;
    }

    private void make(Path directory, String option) throws CommandException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            CommandException failure = new CommandException(
                    DirectoryFailure.unusable(directory.startsWith(root) ? root : directory, option, e), e);
            try {
                close();
            } catch (IOException left) {
                failure.addSuppressed(left);
            }
            throw failure;
        }
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

    Path log() {
        return root.resolve(LOG);
    }

    Path root() {
        return root;
    }

    void deleteLog() throws IOException {
        Files.deleteIfExists(log());
    }

    /** Deletes the temporary files, and those directories of checkpoints and of the run that are empty. */
    @Override
    public void close() throws IOException {
        FolderTree.delete(run);
        FolderTree.deleteEmptyFolders(checkpoints);
        FolderTree.deleteIfEmpty(root);
    }
}
