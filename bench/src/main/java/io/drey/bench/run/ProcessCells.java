package io.drey.bench.run;

import io.drey.bench.cell.CellProcess;
import io.drey.bench.cell.ClassArchive;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs each cell in a process of its own; if there are many, with an archive of classes that the first of them waits
 * for.
 */
final class ProcessCells implements ComparisonRun.CellRunner {
    /** From so many cells on the archive saves more time than it takes. */
    private static final int ARCHIVE_CELLS_MIN = 8;

    private final Path archive;
    private List<String> options;

    /**
     * @param folder for the archive
     * @param count how many cells there will be
     */
    ProcessCells(Path folder, int count) {
        this.archive = folder;
        this.options = count < ARCHIVE_CELLS_MIN ? List.of() : null;
    }

    @Override
    public CellResult run(CellSpec spec, Path folder, RunListener listener) throws IOException, InterruptedException {
        if (options == null) {
            listener.progress("preparing", 0, -1, 0);
            options = ClassArchive.create(archive);
        }
        try (CellProcess process = CellProcess.start(
                spec,
                folder,
                options,
                moment ->
                        listener.progress(moment.phase(), moment.seconds(), moment.done(), moment.eventsPerSecond()))) {
            return process.await();
        }
    }
}
