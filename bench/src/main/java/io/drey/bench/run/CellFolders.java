package io.drey.bench.run;

import io.drey.bench.folder.FolderTree;
import io.drey.bench.plan.PlannedCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The directories of the cells below the work directory. Local files go away with their cell, its log too unless it
 * failed; a fill's checkpoint stays until the last cell of its workload.
 */
final class CellFolders {
    private static final String CHECKPOINTS = "checkpoints";
    private static final String SAVEPOINTS = "savepoints";
    private static final String CELLS = "cells";
    private static final String SHARED = "shared";

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
        return work.resolve(CHECKPOINTS).resolve(cell.workload().name()).resolve(name(cell));
    }

    /** For the savepoint that contenders take the state of a workload from. */
    Path savepoints(PlannedCell cell) {
        return work.resolve(CHECKPOINTS).resolve(cell.workload().name()).resolve(SAVEPOINTS);
    }

    /** The savepoint that is there. */
    String savepoint(PlannedCell cell) throws IOException {
        try (Stream<Path> found = Files.list(savepoints(cell))) {
            return found.findFirst().orElseThrow().toString();
        }
    }

    /** For what all cells share. */
    static Path shared(Path work) {
        return work.toAbsolutePath().resolve(SHARED);
    }

    /** For the specification, the result and the log of a cell. */
    Path result(PlannedCell cell) {
        return work.resolve(CELLS).resolve(cell.workload().name()).resolve(name(cell));
    }

    void create(PlannedCell cell) throws IOException {
        Files.createDirectories(local(cell));
        Files.createDirectories(checkpoints(cell));
        Files.createDirectories(result(cell));
    }

    /** After a cell: nothing of it is needed but the checkpoint if it filled the state, and the log if it failed. */
    void leave(PlannedCell cell, boolean failed) throws IOException {
        FolderTree.delete(local(cell));
        if (!cell.fills()) {
            FolderTree.delete(checkpoints(cell));
        }
        if (!failed) {
            FolderTree.delete(result(cell));
        }
    }

    /** After the last cell of a workload. */
    void leave(String workload) throws IOException {
        FolderTree.delete(work.resolve(CHECKPOINTS).resolve(workload));
        FolderTree.delete(local.resolve(workload));
    }

    /** Before the beginning: what an earlier comparison left. */
    void clear() throws IOException {
        FolderTree.delete(work.resolve(CELLS));
        leave();
    }

    /** At the end: only logs of failures stay. */
    void leave() throws IOException {
        FolderTree.delete(work.resolve(CHECKPOINTS));
        FolderTree.delete(shared(work));
        FolderTree.delete(local);
        FolderTree.deleteEmptyFolders(work.resolve(CELLS));
    }
}
