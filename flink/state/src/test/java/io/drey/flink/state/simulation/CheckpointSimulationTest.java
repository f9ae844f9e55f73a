package io.drey.flink.state.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Histories of a job's checkpoints, each from one seed: Flink's own registry and store of checkpoints, overlapping and
 * aborted checkpoints, lost and late messages, tasks and job managers that are killed at any step, new jobs on old
 * checkpoints, other parallelism, local recovery, and faults of disks and storage. One half of them; see {@link
 * CheckpointSimulationOtherHalfTest}.
 */
@Tag(Effort.TAG)
class CheckpointSimulationTest {
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
        Histories histories = new Histories(CheckpointSimulationTest.class, directory);
        Seeds.cases(Histories.COUNT, histories::run);
        histories.end();
    }
}
