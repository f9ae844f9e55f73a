package io.drey.bench.run;

import io.drey.bench.cell.CellListener;
import io.drey.bench.cell.CellPhase;
import io.drey.bench.cell.CellProcess;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import java.io.IOException;

/** Runs each cell in a process of its own, and rations the disk from its warm-up on. */
final class ProcessCells implements ComparisonRun.CellRunner {
    @Override
    public CellResult run(CellSpec spec, CellPlace place) throws IOException, InterruptedException {
        Watch watch = new Watch(spec, place);
        try (CellProcess process = CellProcess.start(spec, place.folder(), watch)) {
            CellResult result = process.await();
            watch.failIfDiskFailed();
            return result;
        }
    }

    /** Called by the thread that reads what the process prints. */
    private static final class Watch implements CellListener {
        private final boolean fills;
        private final CellPlace place;
        private boolean rationed;
        private volatile IOException diskFailure;

        Watch(CellSpec spec, CellPlace place) {
            this.fills = spec.fills();
            this.place = place;
        }

        @Override
        public void progress(String phase, double seconds, long events, double eventsPerSecond) {
            if (!fills && !rationed && isUse(phase)) {
                rationed = true;
                ration();
            }
            place.listener().progress(phase, seconds, eventsPerSecond);
        }

        private static boolean isUse(String phase) {
            return phase.equals(CellPhase.WARM_UP.text()) || phase.equals(CellPhase.MEASURE.text());
        }

        private void ration() {
            try {
                place.disk().ration();
            } catch (IOException e) {
                diskFailure = e;
            }
        }

        void failIfDiskFailed() throws IOException {
            if (diskFailure != null) {
                throw new IOException("The disk could not be rationed: " + diskFailure.getMessage(), diskFailure);
            }
        }
    }
}
