package io.drey.bench.report;

import io.drey.bench.figure.ShuffleFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.ResultJson;
import io.drey.bench.result.ShuffleComparison;
import io.drey.bench.result.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/** The directory with the files of one comparison of shuffle services: what was measured, and a page that shows it. */
public final class ShuffleReport {
    private static final String RAW = "shuffle-comparison.json";

    private final Path directory;

    /** A directory, made if it is not there. */
    public ShuffleReport(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory.toAbsolutePath().normalize());
    }

    /** The page to open. */
    public Path page() {
        return directory.resolve(ReportFolder.REPORT);
    }

    /** Writes both files, over those of an earlier time. */
    public void keep(ShuffleComparison comparison) throws IOException {
        WholeFile.replace(directory.resolve(RAW), file -> ResultJson.write(file, comparison));
        WholeFile.replace(page(), file -> Files.writeString(file, page(comparison)));
    }

    private static String page(ShuffleComparison comparison) {
        Markup html = new Markup();
        html.trusted("<!doctype html>\n").open("html", "lang", "en").open("head");
        html.empty("meta", "charset", "utf-8").element("title", "drey compare --shuffle");
        html.open("style").trusted(StyleSheet.read()).close();
        html.close().open("body").line();
        html.element("h1", "Shuffle services compared");
        html.element("p", comparison.startedAt() + ", " + comparison.status(), "class", "faint");
        figures(html, comparison);
        runs(html, comparison);
        about(html, comparison);
        return html.close().close().line().finish();
    }

    private static void heads(Markup html, String... titles) {
        html.open("div", "class", "wide").open("table").open("thead").open("tr");
        for (String title : titles) {
            html.element("th", title);
        }
        html.close().close().open("tbody");
    }

    private static void figures(Markup html, ShuffleComparison comparison) {
        html.element("h2", "Figures")
                .element(
                        "p",
                        "Medians of the measured runs, and below them the least and the most; of ratios the range in"
                                + " which 19 of 20 repeated comparisons have theirs. CPU, memory and bytes are of all"
                                + " processes of a contender: JobManager, task managers, workers. Bytes written are"
                                + " those given to the system, also of files deleted before they reached a disk; bytes"
                                + " read those that came from a disk and not from the page cache.");
        heads(html, "Job", "Contender", "Seconds", "Ratio", "CPU seconds", "Ratio", "Written", "Read", "Peak memory");
        for (ShuffleFigures each : ShuffleFigures.of(comparison)) {
            html.open("tr").element("th", each.job()).element("th", each.contender());
            cell(html, each.seconds(), Quantity::number);
            cell(html, each.secondsRatio(), RatioTables::show);
            cell(html, each.cpuSeconds(), Quantity::number);
            cell(html, each.cpuRatio(), RatioTables::show);
            cell(html, each.writtenBytes(), Quantity::size);
            cell(html, each.readBytes(), Quantity::size);
            cell(html, each.peakBytes(), Quantity::size);
            html.close().line();
        }
        html.close().close().close();
        for (ShuffleComparison.Job job : comparison.jobs()) {
            List<String> results = ShuffleFigures.results(comparison, job.name());
            html.open("p").element("strong", job.name()).text(": " + job.purpose() + ". ");
            html.text(job.size() + ". ");
            if (results.size() > 1) {
                html.element("strong", "Results differ: " + String.join("; ", results), "class", "red-text");
            } else {
                html.text(results.isEmpty() ? "No run succeeded." : "All runs have the same result.");
            }
            html.close();
        }
    }

    private static void cell(Markup html, Spread value, DoubleFunction<String> text) {
        if (value == null) {
            html.element("td", "–", "class", "faint");
            return;
        }
        html.openValue(value).text(text.apply(value.median()));
        if (value.values().size() > 1) {
            html.element("span", text.apply(value.min()) + " – " + text.apply(value.max()), "class", "spread");
        }
        html.close();
    }

    private static void runs(Markup html, ShuffleComparison comparison) {
        html.element("h2", "Runs").element("p", "In their order; runs up to 0 are not measured.");
        heads(html, "Job", "Contender", "Run", "Seconds", "CPU seconds", "Rows", "Digest");
        for (ShuffleComparison.Cell cell : comparison.cells()) {
            html.open("tr").element("th", cell.job()).element("th", cell.contender());
            html.element("td", Integer.toString(cell.repetition()));
            if (cell.error() != null) {
                html.element("td", cell.error(), "colspan", "4", "class", "red-text");
            } else {
                html.element("td", Quantity.number(cell.seconds()));
                html.element("td", cell.cpuSeconds() < 0 ? "–" : Quantity.number(cell.cpuSeconds()));
                html.element("td", Quantity.count(cell.rows())).element("td", cell.digest());
            }
            html.close().line();
        }
        html.close().close().close();
    }

    private static void about(Markup html, ShuffleComparison comparison) {
        html.element("h2", "Machine and versions");
        heads(html, "", "");
        row(
                html,
                "Processor",
                comparison.machine().processor() + ", " + comparison.machine().cores() + " cores used");
        row(html, "Memory", Quantity.size(comparison.machine().memoryBytes()));
        row(html, "System", comparison.machine().system());
        row(html, "Disk", comparison.machine().disk());
        if (comparison.disk() != null) {
            row(html, "Ration of the exchanges' disk", RunSection.ration(comparison.disk()));
        }
        new TreeMap<>(comparison.versions()).forEach((name, version) -> row(html, name, version));
        html.close().close().close();
        html.open("p").text("Again: ").element("code", comparison.command()).close();
    }

    private static void row(Markup html, String name, String value) {
        html.open("tr")
                .element("th", name)
                .element("td", value, "class", "text")
                .close();
    }
}
