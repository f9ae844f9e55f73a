package io.drey.bench.run;

import io.drey.bench.cell.CellProcess;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import java.io.IOException;
import java.nio.file.Path;

/** Runs each cell in a process of its own. */
final class ProcessCells implements ComparisonRun.CellRunner {
    @Override
    public CellResult run(CellSpec spec, Path folder, RunListener listener) throws IOException, InterruptedException {
        try (CellProcess process = CellProcess.start(
                spec, folder, (phase, seconds, events, rate) -> listener.progress(phase, seconds, rate))) {
            return process.await();
        }
    }
}
