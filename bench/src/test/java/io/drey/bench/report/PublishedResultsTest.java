package io.drey.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.bench.figure.Figure;
import io.drey.bench.figure.Figures;
import io.drey.bench.figure.MadeUpComparison;
import io.drey.bench.micro.MicroResult;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results among the project's files, and whether the README tells the same. */
class PublishedResultsTest {
    private static final Comparison RATIONED = MadeUpComparison.well(7);
    private static final String EMPTY_README = "# It\n\n<!-- results: begin -->\n<!-- results: end -->\nMore.\n";

    @TempDir
    Path project;

    @BeforeEach
    void writeReadme() throws IOException {
        Files.writeString(project.resolve("README.md"), EMPTY_README);
    }

    private String readme() throws IOException {
        return Files.readString(project.resolve("README.md"));
    }

    private static Comparison changed(Comparison all, String startedAt, Comparison.Disk disk) {
        return changed(all, startedAt, all.status(), disk);
    }

    private static Comparison changed(Comparison all, String startedAt, String status, Comparison.Disk disk) {
        return new Comparison(
                all.format(),
                startedAt,
                all.finishedAt(),
                status,
                all.command(),
                all.machine(),
                all.versions(),
                all.contenders(),
                all.jobs(),
                disk,
                all.cells(),
                all.skipped());
    }

    @Test
    void withoutResultsTheReadmeShowsNone() throws IOException {
        PublishedResults.refresh(project);
        assertThat(readme()).isEqualTo(EMPTY_README);
        assertThat(PublishedResults.problems(project)).isEmpty();
        Files.writeString(
                project.resolve("README.md"), EMPTY_README.replace("begin -->\n", "begin -->\n900× faster\n"));
        assertThat(PublishedResults.problems(project)).hasSize(1);
    }

    @Test
    void theNewestIsShownWhateverWasPublishedLast() throws IOException {
        Path newer = PublishedResults.publish(project, "full", RATIONED);
        PublishedResults.publish(project, "old", changed(RATIONED, "2026-01-02T03:04:05Z", null));
        assertThat(newer).isEqualTo(project.resolve("docs/results/2026-11-20-full"));
        assertThat(readme())
                .contains("docs/results/2026-11-20-full/report.html")
                .doesNotContain("2026-01-02")
                .endsWith("<!-- results: end -->\nMore.\n");
        assertThat(Files.readString(project.resolve("docs/results/README.md")))
                .containsSubsequence("2026-11-20-full/report.html", "2026-01-02-old/report.html");
        assertThat(PublishedResults.problems(project)).isEmpty();
    }

    @Test
    void aNewerResultOfFewerJobsIsListedAndNotShown() throws IOException {
        PublishedResults.publish(project, "full", RATIONED);
        Comparison.JobInfo kept = RATIONED.jobs().get(0);
        Comparison ofOne = new Comparison(
                RATIONED.format(),
                "2027-01-02T03:04:05Z",
                RATIONED.finishedAt(),
                RATIONED.status(),
                RATIONED.command(),
                RATIONED.machine(),
                RATIONED.versions(),
                RATIONED.contenders(),
                List.of(kept),
                null,
                RATIONED.cells().stream()
                        .filter(cell -> cell.spec().job().equals(kept.name()))
                        .toList(),
                List.of());
        PublishedResults.publish(project, "one", ofOne);
        assertThat(readme())
                .contains("docs/results/2026-11-20-full/report.html")
                .doesNotContain("2027-01-02");
        assertThat(Files.readString(project.resolve("docs/results/README.md")))
                .containsSubsequence("2027-01-02-one/report.html", "2026-11-20-full/report.html");
        assertThat(PublishedResults.problems(project)).isEmpty();
    }

    @Test
    void benchmarksOfSingleOperationsAreListedAndNotShown() throws IOException {
        Path folder = Files.createDirectories(project.resolve("docs/results/2026-11-21-micro"));
        PublishedResults.refresh(project);
        assertThat(readme()).isEqualTo(EMPTY_README);
        assertThat(Files.readString(project.resolve("docs/results/README.md")))
                .contains("There are none yet", "[2026-11-21-micro](2026-11-21-micro/micro.md)");
        assertThat(PublishedResults.problems(project)).hasSize(2);
        Files.createFile(folder.resolve("micro.json"));
        Files.createFile(folder.resolve("micro.md"));
        assertThat(PublishedResults.problems(project)).isEmpty();
    }

    @Test
    void whatSomebodyChangedIsFound() throws IOException {
        Path folder = PublishedResults.publish(project, "full", RATIONED);
        Files.writeString(project.resolve("README.md"), readme().replaceFirst("\\*\\*[0-9.]+×", "**99.9×"));
        Files.writeString(project.resolve("docs/results/README.md"), "nothing");
        Files.delete(folder.resolve("report.html"));
        assertThat(PublishedResults.problems(project)).hasSize(3);
        Files.delete(folder.resolve("comparison.json.gz"));
        assertThatThrownBy(() -> PublishedResults.problems(project)).isInstanceOf(IOException.class);
    }

    @Test
    void figuresAreThoseOfWhatWasMeasured() throws IOException {
        Path folder = PublishedResults.publish(project, "full", RATIONED);
        Path raw = folder.resolve("comparison.json.gz");
        Comparison published = Comparison.read(raw);
        assertThat(published).isEqualTo(RawData.kept(RATIONED, project));
        Figures kept = Figures.of(published);
        assertThat(Files.size(raw)).isLessThan(RawData.BYTES_MAX);
        Figures before = Figures.of(RATIONED);
        for (Figure figure : Figure.values()) {
            if (figure.better() == Figure.Better.HIGHER) {
                double was = before.jobs().get(1).contender("drey").ratio("rocksdb", figure) == null
                        ? 0
                        : before.jobs()
                                .get(1)
                                .contender("drey")
                                .ratio("rocksdb", figure)
                                .median();
                double is = was == 0
                        ? 0
                        : kept.jobs()
                                .get(1)
                                .contender("drey")
                                .ratio("rocksdb", figure)
                                .median();
                assertThat(is).as(figure.json()).isBetween(was * 0.995, was * 1.005);
            }
        }
    }

    @Test
    void pathsOfTheMachineAreNotPublished() throws IOException {
        Comparison kept = RawData.kept(RATIONED, project);
        kept.cells().forEach(cell -> {
            assertThat(cell.spec().places().checkpoints()).isEqualTo("work/checkpoints");
            assertThat(cell.toString()).doesNotContain("=/work");
        });
    }

    @Test
    void theTableHasTheRatioThatTheFiguresHave() {
        Comparison wrong = MadeUpComparison.whole(7);
        Figures figures = Figures.of(wrong);
        String table = ReadmeTable.of(new ReportContext(wrong, figures));
        double ratio = figures.job("interval-join")
                .contender("drey")
                .ratio("rocksdb-tuned", Figure.EVENTS_MEDIAN)
                .median();
        assertThat(table.lines().filter(line -> line.startsWith("| interval-join | Drey | ")))
                .singleElement()
                .asString()
                .contains("**" + RatioTables.show(ratio) + "** (");
        assertThat(table).contains("| RocksDB tuned |", "| HashMap |", "**On sample-join the outputs differ.**");
        assertThat(table.lines().filter(line -> line.startsWith("|")))
                .hasSize(2 + 9)
                .allMatch(line -> line.chars().filter(c -> c == '|').count() == 10);
    }

    @Test
    void theNewestComparisonOfTheSameJobsOnTheSameDiskStays() throws IOException {
        Path first = PublishedResults.publish(project, "first", changed(RATIONED, "2026-01-02T03:04:05Z", null));
        Path rationed = PublishedResults.publish(
                project, "rationed", changed(RATIONED, "2026-01-03T03:04:05Z", RATIONED.disk()));
        Path second = PublishedResults.publish(project, "second", changed(RATIONED, "2026-01-04T03:04:05Z", null));

        assertThat(first).doesNotExist();
        assertThat(rationed).isDirectory();
        assertThat(second).isDirectory();
        assertThat(PublishedResults.problems(project)).isEmpty();
        Comparison older = changed(RATIONED, "2026-01-01T03:04:05Z", null);
        assertThatThrownBy(() -> PublishedResults.publish(project, "older", older))
                .hasMessageContaining("2026-01-04-second is newer");
        Path copy = Files.createDirectories(second.resolveSibling("2026-01-05-moved"));
        for (String file : List.of("comparison.json.gz", "report.html")) {
            Files.copy(second.resolve(file), copy.resolve(file));
        }
        assertThat(PublishedResults.problems(project))
                .anyMatch(problem -> problem.contains("2026-01-04-second is of the same jobs"));
        assertThat(PublishedResults.publish(project, "second", changed(RATIONED, "2026-01-06T03:04:05Z", null)))
                .isDirectory();
        assertThat(second).doesNotExist();
        assertThat(copy).doesNotExist();
    }

    @Test
    void theNewestBenchmarksOfSingleOperationsStay() throws IOException {
        MicroResult result =
                new MicroResult(MicroResult.FORMAT, "2026-11-21T03:04:05Z", "command", "machine", "java", List.of());
        MicroResult later =
                new MicroResult(MicroResult.FORMAT, "2026-11-22T03:04:05Z", "command", "machine", "java", List.of());
        Path folder = PublishedResults.publish(project, result);

        assertThat(PublishedResults.publish(project, later)).isDirectory();
        assertThat(folder).doesNotExist();
        assertThat(PublishedResults.problems(project)).isEmpty();
    }

    @Test
    void namesAreSimple() {
        assertThatThrownBy(() -> PublishedResults.publish(project, "../x", RATIONED))
                .hasMessageContaining("found '../x'");
    }

    @Test
    void whatDidNotRunToItsEndIsNotPublished() throws IOException {
        PublishedResults.refresh(project);
        String before = Files.readString(project.resolve("README.md"));
        for (String status : new String[] {"interrupted", "running"}) {
            Comparison part = changed(RATIONED, RATIONED.startedAt(), status, RATIONED.disk());
            assertThatThrownBy(() -> PublishedResults.publish(project, "part", part))
                    .hasMessageContaining("found one that is " + status);
        }
        assertThat(Files.readString(project.resolve("README.md"))).isEqualTo(before);
        assertThat(PublishedResults.directory(project).resolve("2026-11-20-part"))
                .doesNotExist();
    }

    @Test
    void whatFailedOrShowsNothingDoesNotTakeThePlaceOfGoodResults() throws IOException {
        Path good = PublishedResults.publish(project, "good", RATIONED);
        String before = Files.readString(project.resolve("README.md"));
        refuses("that interval-join/hashmap/2 failed", MadeUpComparison.whole(7).cells());
        refuses("nothing measured of last-seen", List.of());
        List<CellResult> fills =
                RATIONED.cells().stream().filter(cell -> cell.spec().fills()).toList();
        refuses("nothing measured of last-seen", fills);
        List<CellResult> others = MadeUpComparison.whole(7).cells().stream()
                .filter(cell -> cell.error() == null)
                .toList();
        refuses("that outputs of sample-join differ", others);
        assertThat(good).isDirectory();
        assertThat(Files.readString(project.resolve("README.md"))).isEqualTo(before);
    }

    private void refuses(String found, List<CellResult> cells) {
        Comparison later =
                changed(RATIONED, "2027-01-02T03:04:05Z", RATIONED.disk()).with(cells);
        assertThatThrownBy(() -> PublishedResults.publish(project, "later", later))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("found " + found);
        assertThat(PublishedResults.directory(project).resolve("2027-01-02-later"))
                .doesNotExist();
    }

    @Test
    void aReadmeWithoutAPlaceIsRefused() throws IOException {
        Files.writeString(project.resolve("README.md"), "# It\n");
        assertThatThrownBy(() -> PublishedResults.refresh(project)).hasMessageContaining("<!-- results: begin -->");
    }
}
