package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.worker.memory.SlabShelf;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import io.drey.testkit.TestSummary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories of workers, registries, task managers and job managers, each from one seed, in one thread: the real
 * clients, connections, catalogs and files under a simulated clock, network and disks, all of which fail.
 */
@Tag(Effort.TAG)
class ShuffleSimulationTest {
    /** Histories: as many as {@code drey.shuffle.seeds} says, or by the effort. */
    private static final int SEEDS = Integer.getInteger("drey.shuffle.seeds", (int) Effort.of(10_000, 10_000, 25_000));

    private static final int REPEATED = 50;

    /** Of so many histories, each event is in one. */
    private static final int RARE = 1_000;

    private final SlabShelf slabs = new SlabShelf();

    private long history(long seed, Tally tally) {
        try {
            ShuffleHistory history = new ShuffleHistory(seed, slabs, tally);
            history.run();
            return history.digest();
        } finally {
            slabs.reclaim();
        }
    }

    @Test
    void aSeedRepeatsItsHistory() {
        Seeds.cases(REPEATED, seed -> {
            long first = history(seed, new Tally());
            assertThat(history(seed, new Tally())).isEqualTo(first);
        });
    }

    @Test
    void readersGetExactlyWhatWasCommittedOrALossAndNothingIsLeft() {
        Tally tally = new Tally();
        TestSummary summary = new TestSummary(ShuffleSimulationTest.class);
        Seeds.cases(SEEDS, seed -> {
            history(seed, tally);
            summary.add("histories", 1);
        });
        tally.addTo(summary);
        summary.print();
        tally.covers(summary.of("histories") / RARE);
    }
}
