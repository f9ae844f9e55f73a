package io.drey.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.contender.Contenders;
import io.drey.bench.plan.PlannedCell;
import io.drey.bench.plan.Workloads;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Time that is left is estimated by time that cells took. */
class RemainingTimeTest {
    private final RemainingTime remaining = new RemainingTime(Duration.ofSeconds(30), Duration.ofSeconds(10));

    private static PlannedCell cell(String workload, String contender, int repetition) {
        return new PlannedCell(
                Workloads.named(List.of(workload)).get(0), new Contenders(1 << 24).named(contender), repetition);
    }

    private Duration of(PlannedCell cell) {
        return remaining.of(List.of(cell));
    }

    @Test
    void atFirstItIsAGuess() {
        assertThat(remaining.of(List.of(cell("last-seen", "drey", 0), cell("last-seen", "drey", 1))))
                .isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void cellsOfTheSameKindTakeAsLongAsTheLastOne() {
        remaining.took(cell("last-seen", "drey", 1), Duration.ofSeconds(20));
        remaining.took(cell("last-seen", "drey", 2), Duration.ofSeconds(24));
        remaining.took(cell("last-seen", "rocksdb", 1), Duration.ofSeconds(70));
        assertThat(of(cell("last-seen", "drey", 3))).isEqualTo(Duration.ofSeconds(24));
        assertThat(of(cell("last-seen", "rocksdb", 2))).isEqualTo(Duration.ofSeconds(70));
    }

    @Test
    void cellsOfAnotherKindTakeAsLongAsTheMean() {
        remaining.took(cell("last-seen", "drey", 1), Duration.ofSeconds(20));
        remaining.took(cell("last-seen", "rocksdb", 1), Duration.ofSeconds(60));
        assertThat(of(cell("sample-join", "drey", 1))).isEqualTo(Duration.ofSeconds(40));
        assertThat(of(cell("sample-join", "drey", 0))).isEqualTo(Duration.ofSeconds(30));
    }
}
