package io.drey.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.bench.contender.Contender;
import io.drey.bench.contender.Contenders;
import io.drey.bench.plan.CompareSettings;
import io.drey.bench.plan.Plan;
import io.drey.bench.plan.PlannedCell;
import io.drey.bench.plan.Workloads;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison with cells that only pretend to run. */
class ComparisonRunTest implements RunListener {
    private static final long MANAGED = 16L << 20;

    @TempDir
    private Path directory;

    private Path work;

    private final List<CellSpec> ran = new ArrayList<>();
    private final List<Comparison> kept = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private CompareSettings settings;
    private boolean fillOnce;
    private String failing = "none";
    private Path changed;
    private ComparisonRun run;
    private int stopAfter = Integer.MAX_VALUE;

    @BeforeEach
    void settings() {
        work = directory.resolve("work");
        Contenders contenders = new Contenders(MANAGED);
        settings = settings(List.of(contenders.named("drey"), contenders.named("rocksdb")));
    }

    private CompareSettings settings(List<Contender> chosen) {
        return new CompareSettings(
                Workloads.named(List.of("last-seen", "sample-join")),
                chosen,
                2,
                fillOnce,
                7,
                new CellSpec.Time(1, 2, 3, 4),
                new CompareSettings.Memory(MANAGED, 1 << 30, 1 << 30),
                null,
                work,
                "drey compare");
    }

    private Comparison run() throws IOException {
        run = new ComparisonRun(settings, Plan.of(settings, Optional.empty()), this, this::pretend, kept::add);
        return run.run();
    }

    /** Leaves files as a cell does, and a checkpoint if it fills. */
    private CellResult pretend(CellSpec spec, Path folder, RunListener listener)
            throws IOException, InterruptedException {
        ran.add(spec);
        Files.writeString(folder.resolve("cell.log"), "x");
        assertThat(listener).isSameAs(this);
        Path checkpoint = Path.of(spec.places().checkpoints(), "chk-1");
        Files.writeString(Path.of(spec.places().local(), "state"), "x");
        Files.createDirectories(checkpoint);
        Files.writeString(checkpoint.resolve("_metadata"), spec.id());
        if (spec.places().restore() != null) {
            assertThat(Path.of(spec.places().restore(), "_metadata"))
                    .content()
                    .isEqualTo(spec.takesOver() ? "savepoint of " + spec.job() + "/drey/fill" : key(spec) + "/fill");
        }
        if (spec.places().savepoints() != null) {
            Path savepoint = Files.createDirectories(Path.of(spec.places().savepoints(), "savepoint-1"));
            Files.writeString(savepoint.resolve("_metadata"), "savepoint of " + spec.id());
        }
        if (ran.size() == stopAfter) {
            run.stop();
            throw new InterruptedException();
        }
        if (changed != null && ran.size() == 3) {
            Files.writeString(changed, "another version");
        }
        String error = spec.id().equals(failing) ? "it broke" : null;
        return new CellResult(
                spec,
                "",
                error,
                checkpoint.toString(),
                0,
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                null,
                -1,
                List.of());
    }

    private static String key(CellSpec spec) {
        return spec.job() + "/" + spec.contender();
    }

    private List<String> ids() {
        return ran.stream().map(CellSpec::id).toList();
    }

    @Test
    void everyMeasuredCellStartsFromTheCheckpointOfItsFill() throws IOException {
        Comparison comparison = run();
        assertThat(ids())
                .containsExactly(
                        "last-seen/drey/fill",
                        "last-seen/rocksdb/fill",
                        "last-seen/drey/1",
                        "last-seen/rocksdb/1",
                        "last-seen/rocksdb/2",
                        "last-seen/drey/2",
                        "sample-join/drey/fill",
                        "sample-join/rocksdb/fill",
                        "sample-join/drey/1",
                        "sample-join/rocksdb/1",
                        "sample-join/rocksdb/2",
                        "sample-join/drey/2");
        assertThat(ran)
                .allSatisfy(spec -> assertThat(spec.places().restore() == null)
                        .as(spec.id())
                        .isEqualTo(spec.fills()));
        assertThat(comparison.status()).isEqualTo("complete");
        assertThat(comparison.finishedAt()).isNotNull();
        assertThat(comparison.cells()).hasSize(12);
        assertThat(told).startsWith("1 of 12").endsWith("12 of 12");
    }

    @Test
    void oneContenderFillsForAllAndWhatTheOthersTakeOverIsNoFigure() throws IOException {
        fillOnce = true;
        settings();
        Comparison comparison = run();
        assertThat(ran.stream().filter(CellSpec::takesOver).map(CellSpec::id))
                .containsExactly("last-seen/rocksdb/fill", "sample-join/rocksdb/fill");
        assertThat(ran.stream()
                        .filter(each -> each.places().savepoints() != null)
                        .map(CellSpec::id))
                .containsExactly("last-seen/drey/fill", "sample-join/drey/fill");
        assertThat(comparison.cells()).hasSize(10).noneMatch(each -> each.spec().takesOver());
        assertThat(work).doesNotExist();
    }

    @Test
    void theNextContenderFillsForAllIfTheFirstOneFails() throws IOException {
        fillOnce = true;
        settings();
        failing = "last-seen/drey/fill";
        run();
        assertThat(ran.stream()
                        .filter(each -> each.places().savepoints() != null)
                        .map(CellSpec::id))
                .containsExactly("last-seen/drey/fill", "last-seen/rocksdb/fill", "sample-join/drey/fill");
    }

    @Test
    void everythingThatIsKnownIsKeptAfterEveryCell() throws IOException {
        Comparison comparison = run();
        assertThat(kept).hasSize(14);
        assertThat(kept.get(5).cells()).hasSize(5);
        assertThat(kept.get(5).status()).isEqualTo("running");
        assertThat(kept.get(13)).isEqualTo(comparison);
    }

    @Test
    void aContenderWhoseFillFailsIsLeftOutAndTheOthersGoOn() throws IOException {
        failing = "last-seen/drey/fill";
        Comparison comparison = run();
        assertThat(ids()).doesNotContain("last-seen/drey/1", "last-seen/drey/2");
        assertThat(ids()).contains("last-seen/rocksdb/2", "sample-join/drey/2");
        assertThat(comparison.skipped()).singleElement().satisfies(skipped -> {
            assertThat(skipped.job()).isEqualTo("last-seen");
            assertThat(skipped.contender()).isEqualTo("drey");
        });
        assertThat(comparison.status()).isEqualTo("complete");
    }

    @Test
    void aMeasuredCellThatFailsIsKeptAndTheOthersGoOn() throws IOException {
        failing = "last-seen/drey/1";
        assertThat(run().cells()).hasSize(12).anySatisfy(cell -> {
            assertThat(cell.spec().id()).isEqualTo("last-seen/drey/1");
            assertThat(cell.error()).isEqualTo("it broke");
        });
    }

    @Test
    void aBuildMeanwhileEndsTheComparisonAndWhatWasMeasuredIsKept() throws IOException {
        Path jar = Files.writeString(directory.resolve("other.jar"), "one version");
        Contenders contenders = new Contenders(MANAGED);
        settings = settings(List.of(contenders.named("drey"), contenders.parse("other=drey;jar=" + jar)));
        changed = jar;
        assertThatThrownBy(this::run)
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("other.jar as it was, 11 bytes", "found 15 bytes", "do not build");
        assertThat(ids()).containsExactly("last-seen/drey/fill", "last-seen/other/fill", "last-seen/drey/1");
        Comparison last = kept.get(kept.size() - 1);
        assertThat(last.status()).isEqualTo("interrupted");
        assertThat(last.cells()).hasSize(3);
        assertThat(work).doesNotExist();
    }

    @Test
    void theLogOfAFailedCellStays() throws IOException {
        failing = "last-seen/drey/1";
        run();
        assertThat(work.resolve("cells/last-seen/drey-1/cell.log")).exists();
        try (Stream<Path> files = Files.walk(work)) {
            assertThat(files.filter(Files::isRegularFile)).hasSize(1);
        }
        assertThat(told).anySatisfy(sentence -> assertThat(sentence).contains("drey-1"));
    }

    @Test
    void aStoppedRunKeepsWhatItHasAndCleansUp() throws IOException {
        stopAfter = 4;
        Comparison comparison = run();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(comparison.status()).isEqualTo("interrupted");
        assertThat(comparison.cells()).hasSize(3);
        assertThat(kept.get(kept.size() - 1)).isEqualTo(comparison);
        assertThat(work).doesNotExist();
    }

    @Test
    void nothingIsLeftBehindAndNothingOldIsTakenOver() throws IOException {
        Path old = Files.createDirectories(work.resolve("checkpoints/last-seen/drey-fill"));
        Files.writeString(old.resolve("left-over"), "x");
        run();
        assertThat(work).doesNotExist();
    }

    @Override
    public void started(PlannedCell cell, int number, int count, Duration remaining) {
        assertThat(remaining.isNegative()).isFalse();
        told.add(number + " of " + count);
    }

    @Override
    public void progress(String phase, double seconds, double done, double eventsPerSecond) {}

    @Override
    public void finished(CellResult result) {
        assertThat(Path.of(result.spec().places().local())).doesNotExist();
    }

    @Override
    public void say(String sentence) {
        told.add(sentence);
    }
}
