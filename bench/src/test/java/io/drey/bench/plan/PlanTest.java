package io.drey.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.bench.contender.Contender;
import io.drey.bench.contender.Contenders;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.jobs.LoadJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The cells of a comparison, their order and their size. */
class PlanTest {
    private static final long MANAGED = 64L << 20;
    private static final Contenders CONTENDERS = new Contenders(MANAGED);
    private static final CellSpec.Places PLACES = new CellSpec.Places("/local", "/checkpoints", null, null, null);

    private static CompareSettings settings(Comparison.Disk disk, String jobs, String... contenders) {
        List<Contender> chosen = new ArrayList<>();
        for (String name : contenders) {
            chosen.add(CONTENDERS.named(name));
        }
        return new CompareSettings(
                Workloads.named(List.of(jobs.split(","))),
                chosen,
                2,
                false,
                7,
                new CellSpec.Time(1, 2, 3, 4),
                new CompareSettings.Memory(MANAGED, 1 << 30, 4L << 30),
                disk,
                Path.of("/work"),
                "drey compare");
    }

    private static Plan plan(CompareSettings settings) {
        return Plan.of(settings, Optional.empty());
    }

    private static List<String> order(Plan plan) {
        return plan.cells().stream()
                .map(cell -> cell.workload().name() + " " + cell.contender().name() + " " + cell.repetition())
                .toList();
    }

    @Test
    void contendersFillFirstAndThenTakeTurnsToAndFroWorkloadByWorkload() {
        Plan plan = plan(settings(null, "sample-join,last-seen", "drey", "rocksdb"));
        assertThat(order(plan))
                .containsExactly(
                        "sample-join drey 0",
                        "sample-join rocksdb 0",
                        "sample-join drey 1",
                        "sample-join rocksdb 1",
                        "sample-join rocksdb 2",
                        "sample-join drey 2",
                        "last-seen drey 0",
                        "last-seen rocksdb 0",
                        "last-seen drey 1",
                        "last-seen rocksdb 1",
                        "last-seen rocksdb 2",
                        "last-seen drey 2");
        assertThat(plan.skipped()).isEmpty();
    }

    @Test
    void whatKeepsNoStateFillsNone() {
        assertThat(order(plan(settings(null, "last-seen", "no-state"))))
                .containsExactly("last-seen no-state 1", "last-seen no-state 2");
    }

    @Test
    void onARationedDiskOnlyThoseRunWhomItConcerns() {
        Plan plan = plan(settings(new Comparison.Disk(240, 0, 3000, 0), "last-seen", "hashmap", "rocksdb"));
        assertThat(order(plan)).containsExactly("last-seen rocksdb 0", "last-seen rocksdb 1", "last-seen rocksdb 2");
        assertThat(plan.skipped()).singleElement().satisfies(skipped -> {
            assertThat(skipped.contender()).isEqualTo("hashmap");
            assertThat(skipped.why()).contains("heap");
        });
    }

    @Test
    void withoutTheDiskThatIsAskedForNothingRuns() {
        Plan plan = Plan.of(
                settings(new Comparison.Disk(240, 0, 3000, 0), "last-seen", "drey", "rocksdb"),
                Optional.of("There is no such disk."));
        assertThat(plan.cells()).isEmpty();
        assertThat(plan.skipped())
                .hasSize(2)
                .allSatisfy(skipped -> assertThat(skipped.why()).isEqualTo("There is no such disk."));
    }

    @Test
    void stateGrowsWithTheMemory() {
        Workload workload = Workloads.named(List.of("last-seen")).get(0);
        assertThat(workload.load(7, Workload.REFERENCE_BYTES, false).alive()).isEqualTo(60_000_000);
        assertThat(workload.scaled(10, false)
                        .load(7, Workload.REFERENCE_BYTES / 8, false)
                        .alive())
                .isEqualTo(15_000_000);
    }

    @Test
    void ofSeveralScalesEachWorkloadRunsAtEach() {
        List<Workload> usual = Workloads.named(List.of("last-seen", "sample-join"));
        assertThat(Workloads.scaled(usual, List.of())).isEqualTo(usual);
        assertThat(Workloads.scaled(usual, List.of(25.0)))
                .extracting(Workload::name)
                .containsExactly("last-seen", "sample-join");
        List<Workload> scaled = Workloads.scaled(usual, List.of(0.5, 1000.0));
        assertThat(scaled)
                .extracting(Workload::name)
                .containsExactly("last-seen-0.5x", "last-seen-1000x", "sample-join-0.5x", "sample-join-1000x");
        assertThat(scaled).extracting(Workload::family).contains("last-seen", "sample-join");
        assertThat(scaled.get(1).load(7, Workload.REFERENCE_BYTES, false).alive())
                .isEqualTo(12_000_000_000L);
        assertThatThrownBy(() -> Workloads.scaled(usual, List.of(5.0, 5.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("given twice");
    }

    @Test
    void scalesThatDifferLittleHaveNamesOfTheirOwn() {
        assertThat(Workloads.scaled(Workloads.named(List.of("last-seen")), List.of(1.001, 1.004, 1e-5, 1000.0, 0.25)))
                .extracting(Workload::name)
                .containsExactly(
                        "last-seen-1.001x",
                        "last-seen-1.004x",
                        "last-seen-0.00001x",
                        "last-seen-1000x",
                        "last-seen-0.25x");
    }

    @Test
    void aCellIsToldWhatItMayUse() {
        CompareSettings settings = settings(null, "last-seen", "drey", "hashmap", "no-state");
        List<PlannedCell> cells = plan(settings).cells();
        CellSpec drey = settings.spec(cells.get(0), PLACES);
        CellSpec hashmap = settings.spec(cells.get(1), PLACES);
        CellSpec noState = settings.spec(cells.get(4), PLACES);

        assertThat(drey.id()).isEqualTo("last-seen/drey/fill");
        assertThat(drey.memory()).isEqualTo(new CellSpec.Memory(MANAGED, 1 << 30));
        assertThat(hashmap.memory()).isEqualTo(new CellSpec.Memory(MANAGED, 4L << 30));
        assertThat(drey.load().stateless()).isFalse();
        assertThat(noState.contender()).isEqualTo("no-state");
        assertThat(noState.load().stateless()).isTrue();
        assertThat(drey.load().alive()).isEqualTo(30_000_000);
        assertThat(drey.load().seed()).isEqualTo(7);
    }

    @Test
    void everyWorkloadHasAJobThatRuns() {
        for (Workload workload : Workloads.ALL) {
            assertThat(LoadJob.named(workload.job()).jobName()).isEqualTo(workload.job());
        }
    }

    @Test
    void anUnknownWorkloadIsToldWithTheKnownOnes() {
        assertThatThrownBy(() -> Workloads.named(List.of("last-seen", "nothing")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no workload 'nothing'; expected last-seen, last-seen-small, last-seen-fits,"
                        + " last-seen-zipf, last-seen-committed, interval-join, sample-join, sliding-window, list-buffer, regular-join,"
                        + " deduplicate.");
        assertThatThrownBy(() -> Workloads.named(List.of("last-seen", "last-seen")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("named twice");
    }
}
