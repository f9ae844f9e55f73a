package io.drey.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.result.Comparison;
import io.drey.bench.result.ShuffleComparison;
import io.drey.bench.result.ShuffleComparison.Cell;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A comparison of shuffle services in a few lines. */
class ShuffleSummaryTest {
    private static Cell cell(String contender, String error) {
        return new Cell("job", contender, 1, error, 1, 1, 1, 1, 1, 10, error == null ? "abc" : null);
    }

    private static ShuffleSummary summary(Cell... cells) {
        return new ShuffleSummary(new ShuffleComparison(
                ShuffleComparison.FORMAT,
                "2026-01-01T00:00:00Z",
                null,
                "complete",
                "drey compare --shuffle",
                new Comparison.Machine("p", 1, 1, "s", "d"),
                null,
                Map.of(),
                List.of("netty", "drey"),
                List.of(new ShuffleComparison.Job("job", "purpose", "size")),
                List.of(cells)));
    }

    @Test
    void whoRanAloneAgreesWithNobody() {
        ShuffleSummary both = summary(cell("netty", null), cell("drey", null));
        assertThat(both.lines()).contains("job: all results agree on 10 rows with digest abc.");
        assertThat(both.allWell()).isTrue();
        ShuffleSummary one = summary(cell("netty", null), cell("netty", null), cell("drey", "It broke."));
        assertThat(one.lines())
                .contains("job: the result was compared with nobody's, as one contender has one.")
                .noneMatch(line -> line.contains("agree"));
    }

    @Test
    void whatFailedIsSaid() {
        ShuffleSummary failed = summary(cell("netty", null), cell("drey", "It broke."));
        assertThat(failed.lines()).contains("Failed: job/drey/1: It broke.");
        assertThat(failed.allWell()).isFalse();
    }
}
