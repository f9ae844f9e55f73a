package io.drey.bench.report;

import io.drey.bench.figure.Figures;
import io.drey.bench.figure.Verdict;
import io.drey.bench.folder.FolderTree;
import io.drey.bench.micro.MicroResult;
import io.drey.bench.micro.MicroTable;
import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The dated results below {@code docs/results}, their index, and the table in the README of one of them: of those with
 * the most jobs the newest. Of each comparison, that is of the same jobs on the same disk, the newest stays. The raw
 * data rules: everything else is made from it, and {@link #problems} says where somebody did not.
 */
public final class PublishedResults {
    static final String RAW = "comparison.json.gz";

    /** What {@link #isName} asks for. */
    public static final String NAMES = "a name of small letters, digits and hyphens, at most 41";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,40}");
    private static final int DAY_CHARS = "2026-01-01".length();
    private static final String BEGIN = "<!-- results: begin -->\n";
    private static final String END = "<!-- results: end -->\n";

    /** Ending of the folders of benchmarks of single operations, which are no comparisons. */
    private static final String MICRO = "-micro";

    private static final Comparator<Result> NEWEST_LAST = Comparator.comparing(
                    (Result result) -> result.comparison().startedAt())
            .thenComparing(Result::name);

    private record Result(Path directory, Comparison comparison) {
        String name() {
            return directory.getFileName().toString();
        }

        /** What comparisons that take each other's place have in common. */
        List<Object> subject() {
            Set<String> jobs = new HashSet<>();
            comparison.jobs().forEach(job -> jobs.add(job.name()));
            return comparison.disk() == null ? List.of(jobs) : List.of(jobs, comparison.disk());
        }
    }

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
                    results.add(new Result(child, Comparison.read(child.resolve(RAW))));
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

    /** Whether results can have this name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Publishes a comparison that ran to its end, and with which all is well, under its date and a name; older ones of
     * the same jobs on the same disk go.
     *
     * @param project where the project's files are
     * @param name {@link #NAMES}
     * @return the folder of the results
     */
    public static Path publish(Path project, String name, Comparison comparison) throws IOException {
        if (!isName(name)) {
            throw new IllegalArgumentException("expected " + NAMES + ", found '" + name + "'");
        }
        if (!comparison.status().equals("complete")) {
            throw new IllegalArgumentException("expected a comparison that ran to its end, found one that is "
                    + comparison.status() + ": run it again");
        }
        Optional<String> problem = Verdict.problem(comparison, Figures.of(comparison));
        if (problem.isPresent()) {
            throw new IllegalArgumentException(
                    "expected a comparison in which all cells succeeded and all outputs agree, found " + problem.get());
        }
        Comparison kept = RawData.kept(comparison, project);
        Path directory = directory(project).resolve(kept.startedAt().substring(0, DAY_CHARS) + "-" + name);
        Result result = new Result(directory, kept);
        for (Result other : new PublishedResults(project).results) {
            if (other.subject().equals(result.subject()) && NEWEST_LAST.compare(other, result) > 0) {
                throw new IllegalArgumentException(
                        "expected the newest comparison of its jobs, found that " + other.name() + " is newer");
            }
        }
        Files.createDirectories(directory);
        RawData.write(directory.resolve(RAW), kept);
        HtmlReport.write(directory.resolve(ReportFolder.REPORT), kept, Figures.of(kept));
        for (String older : new PublishedResults(project).superseded()) {
            FolderTree.delete(directory(project).resolve(older));
        }
        refresh(project);
        return directory;
    }

    /** Publishes what single operations cost, under its date, in place of what they cost earlier. */
    public static Path publish(Path project, MicroResult result) throws IOException {
        Path directory = directory(project).resolve(result.startedAt().substring(0, DAY_CHARS) + MICRO);
        for (String older : new PublishedResults(project).micro) {
            FolderTree.delete(directory(project).resolve(older));
        }
        MicroTable.write(directory, result);
        refresh(project);
        return directory;
    }

    /** Folders of comparisons of which there is a newer one; publishing deletes them. */
    private List<String> superseded() {
        Map<List<Object>, Result> newest = new HashMap<>();
        List<String> superseded = new ArrayList<>();
        for (Result result : results) {
            if (newest.putIfAbsent(result.subject(), result) != null) {
                superseded.add(result.name());
            }
        }
        return superseded;
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
            published.checkFile(result.name(), ReportFolder.REPORT, problems);
        }
        for (String older : published.superseded()) {
            problems.add("docs/results/" + older + " is of the same jobs on the same disk as a newer one: delete it");
        }
        for (String name : published.micro) {
            published.checkFile(name, MicroResult.FILE, problems);
            published.checkFile(name, MicroTable.FILE, problems);
        }
        String readme = Files.readString(project.resolve("README.md"));
        if (!readme.equals(published.readme(readme))) {
            problems.add("README.md shows other results between its markers than docs/results has as the newest of the"
                    + " most jobs");
        }
        String index = Files.exists(index(project)) ? Files.readString(index(project)) : "";
        if (!index.equals(published.index())) {
            problems.add("docs/results/README.md does not list what docs/results has");
        }
        return problems;
    }

    private void checkFile(String folder, String file, List<String> problems) {
        if (!Files.exists(directory(project).resolve(folder).resolve(file))) {
            problems.add("docs/results/" + folder + " has no " + file);
        }
    }

    /** Writes the index and the README's part, as the published raw data says. */
    static void refresh(Path project) throws IOException {
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
                .max(Comparator.comparingInt(
                                (Result result) -> result.comparison().jobs().size())
                        .thenComparing(NEWEST_LAST))
                .map(PublishedResults::table)
                .orElse("");
        return before.substring(0, begin + BEGIN.length()) + shown + before.substring(end);
    }

    private static String table(Result result) {
        ReportContext context = new ReportContext(result.comparison(), Figures.of(result.comparison()));
        String folder = "docs/results/" + result.name() + "/";
        return "## Results\n\n" + ReadmeTable.of(context)
                + "\nMedians of the repetitions, ratios with the range in which 19 of 20 repeated runs have theirs;\n"
                + context.day() + " on " + context.machine() + ". Everything measured:\n[report](" + folder
                + ReportFolder.REPORT + ") (to open in a browser),\n[raw data](" + folder + RAW
                + "),\n[all results](docs/results/README.md). Again, on your machine:\n\n```\n"
                + result.comparison().command() + "\n```\n\n";
    }

    private String index() {
        StringBuilder out =
                new StringBuilder("# Results\n\nComparisons that were published, newest first, each with its "
                        + "raw data. [comparison.md](../reference/comparison.md)\nsays what every figure means.\n");
        if (results.isEmpty()) {
            out.append("\nThere are none yet.\n");
        } else {
            appendComparisons(out);
        }
        if (!micro.isEmpty()) {
            out.append("\nWhat single operations cost, at the store's interface and at Flink's:\n\n");
        }
        for (String name : micro) {
            out.append("- ").append(link(name, MicroTable.FILE)).append('\n');
        }
        return out.toString();
    }

    private static String link(String folder, String file) {
        return "[" + folder + "](" + folder + "/" + file + ")";
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
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s |\n",
                    link(result.name(), ReportFolder.REPORT),
                    machine.replace("|", "\\|"),
                    String.join(", ", jobs),
                    String.join(", ", contenders)));
        }
    }
}
