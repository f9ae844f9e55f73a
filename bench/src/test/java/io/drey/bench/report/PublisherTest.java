package io.drey.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.bench.figure.Figure;
import io.drey.bench.figure.Figures;
import io.drey.bench.figure.MadeUpComparison;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results among the project's files, and whether the README tells the same. */
class PublisherTest {
    private static final Comparison RATIONED = MadeUpComparison.whole(7);
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
        Path newer = Publisher.publish(project, "full", RATIONED);
        Publisher.publish(project, "old", changed(RATIONED, "2026-01-02T03:04:05Z", null));
        assertThat(newer).isEqualTo(project.resolve("docs/results/2026-11-20-full"));
        assertThat(readme())
                .contains("docs/results/2026-11-20-full/chart.svg")
                .doesNotContain("2026-01-02")
                .endsWith("<!-- results: end -->\nMore.\n");
        assertThat(Files.readString(project.resolve("docs/results/README.md")))
                .containsSubsequence("2026-11-20-full/report.html", "2026-01-02-old/report.html");
        assertThat(PublishedResults.problems(project)).isEmpty();
    }

    @Test
    void aNewerResultOfFewerJobsIsListedAndNotShown() throws IOException {
        Publisher.publish(project, "full", RATIONED);
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
        Publisher.publish(project, "one", ofOne);
        assertThat(readme()).contains("docs/results/2026-11-20-full/chart.svg").doesNotContain("2027-01-02");
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
        Path folder = Publisher.publish(project, "full", RATIONED);
        Files.writeString(project.resolve("README.md"), readme().replaceFirst("\\*\\*[0-9.]+×", "**99.9×"));
        Files.writeString(project.resolve("docs/results/README.md"), "nothing");
        Files.delete(folder.resolve("report.html"));
        assertThat(PublishedResults.problems(project)).hasSize(3);
        Files.delete(folder.resolve("comparison.json.gz"));
        assertThatThrownBy(() -> PublishedResults.problems(project)).isInstanceOf(IOException.class);
    }

    @Test
    void figuresAreThoseOfTheRawDataBesideThem() throws IOException {
        Path folder = Publisher.publish(project, "full", RATIONED);
        Path raw = folder.resolve("comparison.json.gz");
        Figures kept = ResultJson.read(folder.resolve("figures.json"), Figures.class);
        assertThat(Figures.of(RawData.read(raw))).isEqualTo(kept);
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
        Figures figures = Figures.of(RATIONED);
        String table = ReadmeTable.of(RATIONED, figures);
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
    void chartsAreFilesOfTheirOwn() throws Exception {
        for (Comparison.Disk disk : new Comparison.Disk[] {RATIONED.disk(), null}) {
            Comparison comparison = changed(RATIONED, RATIONED.startedAt(), disk);
            String svg = ReadmeChart.of(comparison, Figures.of(comparison));
            Path file = Files.writeString(project.resolve("chart.svg"), svg);
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(file.toFile())
                            .getDocumentElement()
                            .getNamespaceURI())
                    .isNull();
            assertThat(svg).contains("xmlns=\"http://www.w3.org/2000/svg\"", ">Drey</text>");
            assertThat(svg.contains("burst used up")).isEqualTo(disk != null);
        }
    }

    @Test
    void namesAreSimple() {
        assertThatThrownBy(() -> Publisher.publish(project, "../x", RATIONED)).hasMessageContaining("found '../x'");
    }

    @Test
    void whatDidNotRunToItsEndIsNotPublished() throws IOException {
        PublishedResults.refresh(project);
        String before = Files.readString(project.resolve("README.md"));
        for (String status : new String[] {"interrupted", "running"}) {
            Comparison part = changed(RATIONED, RATIONED.startedAt(), status, RATIONED.disk());
            assertThatThrownBy(() -> Publisher.publish(project, "part", part))
                    .hasMessageContaining("found one that is " + status);
        }
        assertThat(Files.readString(project.resolve("README.md"))).isEqualTo(before);
        assertThat(PublishedResults.directory(project).resolve("2026-11-20-part"))
                .doesNotExist();
    }

    @Test
    void aReadmeWithoutAPlaceIsRefused() throws IOException {
        Files.writeString(project.resolve("README.md"), "# It\n");
        assertThatThrownBy(() -> PublishedResults.refresh(project)).hasMessageContaining("<!-- results: begin -->");
    }
}
