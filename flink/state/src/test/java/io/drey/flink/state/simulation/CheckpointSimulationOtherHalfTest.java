package io.drey.flink.state.simulation;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The other half of the histories of {@link CheckpointSimulationTest}. */
@Tag(Effort.TAG)
class CheckpointSimulationOtherHalfTest {
    @TempDir(factory = DirectoryInMemory.class)
    Path directory;

    @Test
    void everyCheckpointIsRestoredAndNothingIsLeftOver() {
        Histories histories = new Histories(CheckpointSimulationOtherHalfTest.class, directory);
        Seeds.cases(Histories.COUNT, histories::run);
        histories.end();
    }
}
