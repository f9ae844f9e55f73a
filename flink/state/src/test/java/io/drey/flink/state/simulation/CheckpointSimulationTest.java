package io.drey.flink.state.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Seeds;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Histories of a job's checkpoints, each from one seed: Flink's own registry and store of checkpoints, overlapping and
 * aborted checkpoints, lost and late messages, tasks and job managers that are killed at any step, new jobs on old
 * checkpoints, other parallelism, local recovery, and faults of disks and storage.
 */
class CheckpointSimulationTest {
    /** Histories; the build at night has more. */
    private static final int SEEDS = Integer.getInteger("drey.simulation.seeds", 10_000);

    /** Of so many histories, each event is in one. */
    private static final int RARE = 500;

    private static final int REPEATED = 20;

    @TempDir
    Path directory;

    private final Tally tally = new Tally();

    @Test
    void aSeedRepeatsItsHistory() {
        Seeds.cases(REPEATED, seed -> {
            Tally first = new Tally();
            Tally second = new Tally();
            new Simulation(seed, directory, first).run();
            new Simulation(seed, directory, second).run();
            assertThat(second.text()).isEqualTo(first.text());
        });
    }

    @Test
    void everyCheckpointIsRestoredAndNothingIsLeftOver() {
        Seeds.cases(SEEDS, seed -> new Simulation(seed, directory, tally).run());
        System.out.println("simulated checkpoints: " + SEEDS + " histories, " + tally.text());
        tally.covers(SEEDS / RARE);
    }
}
