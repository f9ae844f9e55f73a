package io.drey.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.figure.Figures;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import io.drey.jobs.generate.EventTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A comparison in a few lines. */
class CompareSummaryTest {
    private static final CellSpec.Load LOAD = new CellSpec.Load("job", 1, 10, "uniform", 0, 0, false);

    private static CellResult cell(String contender, String... sums) {
        CellSpec spec = new CellSpec(
                "job",
                contender,
                1,
                LOAD,
                new CellSpec.Time(1, 1, 1, 1),
                new CellSpec.Memory(1, 1),
                new CellSpec.Places("/l", "/c", null, null, null),
                Map.of(),
                List.of());
        ProcessSample sample = new ProcessSample(
                1, 1, true, 2_000, Map.of("task", 0.004), null, 1, 1, 1, 1, ProcessSample.Io.UNKNOWN, null, null);
        return new CellResult(
                spec,
                "again",
                null,
                null,
                0,
                10,
                List.of(),
                List.of(sample),
                List.of(),
                List.of(),
                null,
                null,
                -1,
                Stream.of(sums)
                        .map(sum -> new CellResult.DigestBucket(EventTime.of(0), 10, sum))
                        .toList());
    }

    private static CompareSummary summary(CellResult... cells) {
        Comparison comparison = new Comparison(
                Comparison.FORMAT,
                "2026-01-01T00:00:00Z",
                null,
                "complete",
                "drey compare",
                new Comparison.Machine("p", 1, 1, "s", "d"),
                Map.of(),
                List.of(
                        new Comparison.ContenderInfo("drey", "Drey", Map.of()),
                        new Comparison.ContenderInfo("rocksdb", "RocksDB", Map.of())),
                List.of(new Comparison.JobInfo("job", "p", "u", LOAD, null)),
                null,
                List.of(cells),
                List.of());
        return new CompareSummary(comparison, Figures.of(comparison));
    }

    @Test
    void theColumnOfTheTenthPercentileSaysThatItIsDividedByTheMedian() {
        List<String> lines = summary(cell("drey"), cell("rocksdb")).lines();
        assertThat(lines.get(0))
                .isEqualTo("job              contender              events/s p10/med    CPU/event  against rocksdb");
        assertThat(lines.get(1))
                .isEqualTo(
                        "job              drey                       2000    1.00      2.00 us  1.00 x (1 repetition)");
    }

    @Test
    void allIsWellOnlyIfSomethingWasMeasuredAndOutputsAgree() {
        assertThat(summary(cell("drey", "a"), cell("rocksdb", "a")).allWell()).isTrue();
        assertThat(summary(cell("drey", "a"), cell("rocksdb", "b")).allWell()).isFalse();

        CompareSummary nothing = summary();
        assertThat(nothing.allWell()).isFalse();
        assertThat(nothing.lines()).contains("job: NOTHING WAS MEASURED of a contender with state.");

        CompareSummary apart = summary(cell("drey", "a"), cell("rocksdb"));
        assertThat(apart.allWell()).isFalse();
        assertThat(apart.lines())
                .anyMatch(line -> line.startsWith("job: OUTPUTS AFTER THE RESTORE CANNOT BE COMPARED"));

        CompareSummary alone = summary(cell("drey", "a"));
        assertThat(alone.allWell()).isTrue();
        assertThat(alone.lines()).anyMatch(line -> line.startsWith("job: the output was compared with nobody's"));
    }
}
