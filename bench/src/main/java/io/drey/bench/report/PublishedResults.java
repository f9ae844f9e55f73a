package io.drey.bench.report;

import io.drey.bench.figure.Figures;
import io.drey.bench.micro.MicroResult;
import io.drey.bench.micro.MicroTable;
import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The dated results below {@code docs/results}, their index, and the part of the README that shows one of them: of those
 * with the most jobs the newest. The raw data rules: everything else can be made from it again, and {@link #problems} says
 * where somebody did not.
 */
public final class PublishedResults {
    static final String RAW = "comparison.json.gz";

    private static final Comparator<Result> NEWEST_LAST = Comparator.comparing(
                    (Result result) -> result.comparison().startedAt())
            .thenComparing(Result::name);

    private static final String BEGIN = "<!-- results: begin -->\n";
    private static final String END = "<!-- results: end -->\n";

    private record Result(Path directory, Comparison comparison) {
        String name() {
            return directory.getFileName().toString();
        }

        int jobs() {
            return comparison.jobs().size();
        }
    }

    /** Ending of the folders of benchmarks of single operations, which are no comparisons. */
    private static final String MICRO = "-micro";

    private final Path project;
    private final List<Result> results = new ArrayList<>();
    private final List<String> micro = new ArrayList<>();

    private PublishedResults(Path project) throws IOException {
        this.project = project;
        Path directory = directory(project);
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> children = Files.list(directory)) {
            for (Path child : children.filter(Files::isDirectory).sorted().toList()) {
                String name = child.getFileName().toString();
                if (name.endsWith(MICRO)) {
                    micro.add(0, name);
                } else {
                    results.add(new Result(child, RawData.read(child.resolve(RAW))));
                }
            }
        }
        results.sort(NEWEST_LAST.reversed());
    }

    static Path directory(Path project) {
        return project.resolve("docs/results");
    }

    private static Path index(Path project) {
        return directory(project).resolve("README.md");
    }

    /**
     * What does not agree with the published raw data, one sentence each; empty if all does.
     *
     * @param project where the project's files are
     */
    public static List<String> problems(Path project) throws IOException {
        PublishedResults published = new PublishedResults(project);
        List<String> problems = new ArrayList<>();
        for (Result result : published.results) {
            for (String name : List.of(ReportFiles.REPORT, ReportFiles.FIGURES)) {
                if (!Files.exists(result.directory().resolve(name))) {
                    problems.add("docs/results/" + result.name() + " has no " + name);
                }
            }
        }
        for (String name : published.micro) {
            for (String file : List.of(MicroResult.FILE, MicroTable.FILE)) {
                if (!Files.exists(directory(project).resolve(name).resolve(file))) {
                    problems.add("docs/results/" + name + " has no " + file);
                }
            }
        }
        String readme = Files.readString(project.resolve("README.md"));
        if (!readme.equals(published.readme(readme))) {
            problems.add(
                    "README.md shows other results between its markers than docs/results has as the newest of the most jobs");
        }
        String index = Files.exists(index(project)) ? Files.readString(index(project)) : "";
        if (!index.equals(published.index())) {
            problems.add("docs/results/README.md does not list what docs/results has");
        }
        return problems;
    }

    /** Writes the index and the README's part, as the published raw data says. */
    public static void refresh(Path project) throws IOException {
        PublishedResults published = new PublishedResults(project);
        Path readme = project.resolve("README.md");
        Files.writeString(readme, published.readme(Files.readString(readme)));
        Files.createDirectories(directory(project));
        Files.writeString(index(project), published.index());
    }

    private String readme(String before) throws IOException {
        int begin = before.indexOf(BEGIN);
        int end = before.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(project.resolve("README.md") + " has no place for results: expected a line "
                    + BEGIN.strip() + " and below it a line " + END.strip());
        }
        String shown = results.stream()
                .max(Comparator.comparingInt(Result::jobs).thenComparing(NEWEST_LAST))
                .map(PublishedResults::table)
                .orElse("");
        return before.substring(0, begin + BEGIN.length()) + shown + before.substring(end);
    }

    private static String table(Result result) {
        Comparison comparison = result.comparison();
        Figures figures = Figures.of(comparison);
        ReportContext context = new ReportContext(comparison, figures);
        String folder = "docs/results/" + result.name() + "/";
        StringBuilder out = new StringBuilder("## Results\n\n");
        out.append(ReadmeTable.of(comparison, figures)).append('\n');
        if (Files.exists(result.directory().resolve(ReportFiles.CHART))) {
            out.append("![Events per second](")
                    .append(folder)
                    .append(ReportFiles.CHART)
                    .append(")\n\n");
        }
        out.append("Medians of the repetitions, ratios with the range in which 19 of 20 repeated runs have theirs; ")
                .append(context.day())
                .append(" on ")
                .append(context.machine())
                .append(". Everything measured: [report](")
                .append(folder)
                .append(ReportFiles.REPORT)
                .append(") (to open in a browser), [raw data](")
                .append(folder)
                .append(RAW)
                .append("), [all results](docs/results/README.md). Again, on your machine:\n\n```\n")
                .append(comparison.command())
                .append("\n```\n\n");
        return out.toString();
    }

    private String index() {
        StringBuilder out =
                new StringBuilder("# Results\n\nComparisons that were published, newest first, each with its raw "
                        + "data. [comparison.md](../reference/comparison.md) says what every figure means.\n");
        if (results.isEmpty()) {
            out.append("\nThere are none yet.\n");
        } else {
            appendComparisons(out);
        }
        if (!micro.isEmpty()) {
            out.append("\nWhat single operations cost, at the store's interface and at Flink's:\n\n");
        }
        for (String name : micro) {
            out.append("- [")
                    .append(name)
                    .append("](")
                    .append(name)
                    .append('/')
                    .append(MicroTable.FILE)
                    .append(")\n");
        }
        return out.toString();
    }

    private void appendComparisons(StringBuilder out) {
        out.append("\n| result | machine | jobs | contenders |\n|---|---|---|---|\n");
        for (Result result : results) {
            Comparison comparison = result.comparison();
            ReportContext context = new ReportContext(comparison, Figures.of(comparison));
            List<String> jobs =
                    comparison.jobs().stream().map(Comparison.JobInfo::name).toList();
            List<String> contenders = comparison.contenders().stream()
                    .map(Comparison.ContenderInfo::title)
                    .toList();
            String machine = context.machine() + (comparison.disk() == null ? "" : ", rationed disk");
            out.append("| [")
                    .append(result.name())
                    .append("](")
                    .append(result.name())
                    .append('/')
                    .append(ReportFiles.REPORT)
                    .append(") | ")
                    .append(machine.replace("|", "\\|"))
                    .append(" | ")
                    .append(String.join(", ", jobs))
                    .append(" | ")
                    .append(String.join(", ", contenders))
                    .append(" |\n");
        }
    }
}
