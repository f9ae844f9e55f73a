package io.drey.flink.state.simulation;

import io.drey.testkit.TestSummary;
import java.nio.file.Path;

/** Half of the histories: two processes have one each, as what a history leaves in memory is found by the process. */
final class Histories {
    /** Cases of a half; the longer profiles have more. */
    static final int COUNT = Integer.getInteger("drey.simulation.seeds", 10_000) / 2;

    /** Of so many histories, each event is in one. */
    private static final int RARE = 1_000;

    private final Path directory;
    private final Tally tally = new Tally();
    private final TestSummary summary;

    /** @param directory for local files of some of them */
    Histories(Class<?> test, Path directory) {
        this.directory = directory;
        this.summary = new TestSummary(test);
    }

    void run(long seed) throws Exception {
        new Simulation(seed, directory, tally).run();
        summary.add("histories", 1);
    }

    /** Prints what happened, and fails unless everything did that may. */
    void end() {
        tally.addTo(summary);
        summary.print();
        tally.covers(summary.of("histories") / RARE);
    }
}
