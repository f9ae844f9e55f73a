package io.drey.cli.demo;

import io.drey.bench.folder.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The directories of one run: temporary files, which go away at the end, and checkpoints, of which only what Flink has
 * deleted goes away. Runs at the same time have different temporary directories.
 */
final class WorkDirectory implements AutoCloseable {
    private static final Pattern STATE_FILE = Pattern.compile("[/\\\\](job|op)_");

    private final Path root;
    private final Path temporary;
    private final Path checkpoints;
    private final Path log;

    WorkDirectory(Path root, Path checkpoints) throws IOException {
        this.root = root.toAbsolutePath();
        this.temporary = this.root.resolve("run-" + ProcessHandle.current().pid());
        this.checkpoints = (checkpoints == null ? this.root.resolve("checkpoints") : checkpoints).toAbsolutePath();
        this.log = this.root.resolve("demo.log");
        Files.createDirectories(temporary);
        Files.createDirectories(this.checkpoints);
    }

    /** Where Flink and the backend put their local files. */
    Path temporary() {
        return temporary;
    }

    Path checkpoints() {
        return checkpoints;
    }

    /** Flink's log; it stays after a failure. */
    Path log() {
        return log;
    }

    /** Size of the local files of Flink's own backends, each of which has a directory named by job or operator. */
    long stateBytes() throws IOException {
        long[] sum = new long[1];
        FolderTree.files(temporary, (file, attributes) -> {
            if (STATE_FILE.matcher(temporary.relativize(file).toString()).find()) {
                sum[0] += attributes.size();
            }
        });
        return sum[0];
    }

    void deleteLog() throws IOException {
        Files.deleteIfExists(log);
    }

    /** Deletes the temporary files, and those directories of checkpoints and of the run that are empty. */
    @Override
    public void close() throws IOException {
        FolderTree.delete(temporary);
        FolderTree.deleteEmptyFolders(checkpoints);
        FolderTree.deleteIfEmpty(root);
    }
}
