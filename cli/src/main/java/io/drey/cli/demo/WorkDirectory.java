package io.drey.cli.demo;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
        Files.walkFileTree(temporary, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (STATE_FILE.matcher(temporary.relativize(file).toString()).find()) {
                    sum[0] += attributes.size();
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                // A file that was listed and is gone was deleted meanwhile, which the backend does all the time.
                return skipIfGone(e);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                return skipIfGone(e);
            }
        });
        return sum[0];
    }

    private static FileVisitResult skipIfGone(IOException e) throws IOException {
        if (e != null && !(e instanceof NoSuchFileException)) {
            throw e;
        }
        return FileVisitResult.CONTINUE;
    }

    void deleteLog() throws IOException {
        Files.deleteIfExists(log);
    }

    /** Deletes the temporary files, and those directories of checkpoints and of the run that are empty. */
    @Override
    public void close() throws IOException {
        deleteTree(temporary, true);
        deleteTree(checkpoints, false);
        deleteIfEmpty(root);
    }

    private static void deleteTree(Path tree, boolean files) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (files) {
                    Files.deleteIfExists(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                return skipIfGone(e);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                skipIfGone(e);
                deleteIfEmpty(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void deleteIfEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            // Something in it is meant to stay: a retained checkpoint, a log, another run.
            return;
        }
    }
}
