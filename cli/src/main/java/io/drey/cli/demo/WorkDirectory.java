package io.drey.cli.demo;

import io.drey.bench.folder.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directories of one run: temporary files, which go away at the end, and checkpoints, of which only what Flink has
 * deleted goes away. Runs at the same time have different temporary directories.
 */
final class WorkDirectory implements AutoCloseable {
    /** Flink's log; it stays after a failure. */
    static final String LOG = "demo.log";

    private final Path root;
    private final Path run;
    private final Path checkpoints;

    WorkDirectory(Path root, Path checkpoints) throws IOException {
        this.root = root.toAbsolutePath();
        this.run = this.root.resolve("run-" + ProcessHandle.current().pid());
        this.checkpoints = (checkpoints == null ? this.root.resolve("checkpoints") : checkpoints).toAbsolutePath();
        Files.createDirectories(temporary());
        Files.createDirectories(local());
        Files.createDirectories(this.checkpoints);
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
