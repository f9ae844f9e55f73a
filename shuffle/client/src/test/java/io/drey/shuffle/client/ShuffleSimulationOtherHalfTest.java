package io.drey.shuffle.client;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The other half of the histories of {@link ShuffleSimulationTest}. */
@Tag(Effort.TAG)
class ShuffleSimulationOtherHalfTest {
    @Test
    void readersGetExactlyWhatWasCommittedOrALossAndNothingIsLeft() {
        ShuffleHistories histories = new ShuffleHistories(ShuffleSimulationOtherHalfTest.class);
        Seeds.cases(ShuffleHistories.COUNT, histories::run);
        histories.end();
    }
}
