package io.drey.bench.run;

import io.drey.bench.plan.PlannedCell;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The directories of the cells below the work directory. Local files go away with their cell; a fill's checkpoint stays
 * until the last cell of its workload; results and logs stay until the comparison is over.
 */
final class CellFolders {
    private final Path work;
    private final Path local;

    /**
     * @param work for checkpoints, results and logs
     * @param local for local state: below {@code work}, or on a disk of its own
     */
    CellFolders(Path work, Path local) {
        this.work = work.toAbsolutePath();
        this.local = local.toAbsolutePath();
    }

    private static String name(PlannedCell cell) {
        return cell.contender().name() + "-" + (cell.fills() ? "fill" : cell.repetition());
    }

    Path local(PlannedCell cell) {
        return local.resolve(cell.workload().name()).resolve(name(cell));
    }

    Path checkpoints(PlannedCell cell) {
        return work.resolve("checkpoints").resolve(cell.workload().name()).resolve(name(cell));
    }

    /** For the specification, the result and the log of a cell. */
    Path result(PlannedCell cell) {
        return work.resolve("cells").resolve(cell.workload().name()).resolve(name(cell));
    }

    void create(PlannedCell cell) throws IOException {
        Files.createDirectories(local(cell));
        Files.createDirectories(checkpoints(cell));
        Files.createDirectories(result(cell));
    }

    /** After a cell: nothing of it is needed but its result, and the checkpoint if it filled the state. */
    void leave(PlannedCell cell) throws IOException {
        delete(local(cell));
        if (!cell.fills()) {
            delete(checkpoints(cell));
        }
    }

    /** After the last cell of a workload. */
    void leave(String workload) throws IOException {
        delete(work.resolve("checkpoints").resolve(workload));
        delete(local.resolve(workload));
    }

    /** At the end, and before the beginning if an earlier comparison was killed. */
    void clear() throws IOException {
        delete(work.resolve("checkpoints"));
        delete(work.resolve("cells"));
        delete(local);
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
