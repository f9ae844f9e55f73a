package io.drey.flink.state.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import io.drey.testkit.TestSummary;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Histories of a job's checkpoints, each from one seed: Flink's own registry and store of checkpoints, overlapping and
 * aborted checkpoints, lost and late messages, tasks and job managers that are killed at any step, new jobs on old
 * checkpoints, other parallelism, local recovery, and faults of disks and storage.
 */
@Tag(Effort.TAG)
class CheckpointSimulationTest {
    /** Histories; the longer profiles have more. */
    private static final int SEEDS = Integer.getInteger("drey.simulation.seeds", 10_000);

    /** Of so many histories, each event is in one. */
    private static final int RARE = 1_000;

    private static final int REPEATED = 50;

    @TempDir(factory = DirectoryInMemory.class)
    Path directory;

    @Test
    void aSeedRepeatsItsHistory() {
        Seeds.cases(REPEATED, seed -> {
            Tally first = new Tally();
            Tally second = new Tally();
            new Simulation(seed, directory, first).run();
            new Simulation(seed, directory, second).run();
            assertThat(second.digest()).isEqualTo(first.digest());
        });
    }

    @Test
    void everyCheckpointIsRestoredAndNothingIsLeftOver() {
        Tally tally = new Tally();
        TestSummary summary = new TestSummary(CheckpointSimulationTest.class);
        Seeds.cases(SEEDS, seed -> {
            new Simulation(seed, directory, tally).run();
            summary.add("histories", 1);
        });
        tally.addTo(summary);
        summary.print();
        tally.covers(summary.of("histories") / RARE);
    }
}
