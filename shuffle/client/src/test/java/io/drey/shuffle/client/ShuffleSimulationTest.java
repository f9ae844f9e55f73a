package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories of workers, registries, task managers and job managers, each from one seed, in one thread: the real
 * clients, connections, catalogs and files under a simulated clock, network and disks, all of which fail. One half of
 * them; see {@link ShuffleSimulationOtherHalfTest}.
 */
@Tag(Effort.TAG)
class ShuffleSimulationTest {
    private static final int REPEATED = 50;

    private final ShuffleHistories histories = new ShuffleHistories(ShuffleSimulationTest.class);

    @Test
    void aSeedRepeatsItsHistory() {
        Seeds.cases(REPEATED, seed -> {
            long first = histories.run(seed);
            assertThat(histories.run(seed)).isEqualTo(first);
        });
    }

    @Test
    void readersGetExactlyWhatWasCommittedOrALossAndNothingIsLeft() {
        Seeds.cases(ShuffleHistories.COUNT, histories::run);
        histories.end();
    }
}
