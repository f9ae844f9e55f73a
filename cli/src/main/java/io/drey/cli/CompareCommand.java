package io.drey.cli;

import io.drey.bench.contender.Contender;
import io.drey.bench.contender.Contenders;
import io.drey.bench.folder.FolderTree;
import io.drey.bench.plan.CompareSettings;
import io.drey.bench.plan.Plan;
import io.drey.bench.plan.Workload;
import io.drey.bench.plan.Workloads;
import io.drey.bench.report.PublishedResults;
import io.drey.bench.report.ReportFolder;
import io.drey.bench.report.ShuffleReport;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ShuffleComparison;
import io.drey.bench.run.ComparisonRun;
import io.drey.bench.shuffle.ShuffleLoads;
import io.drey.bench.shuffle.ShuffleRun;
import io.drey.cli.compare.CellOptions;
import io.drey.cli.compare.CompareProgress;
import io.drey.cli.compare.CompareSummary;
import io.drey.cli.compare.DiskOptions;
import io.drey.cli.compare.ShuffleProgress;
import io.drey.cli.compare.ShuffleSummary;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import io.drey.cli.terminal.GivenCommand;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.Sentence;
import io.drey.cli.terminal.StopSignal;
import io.drey.cli.terminal.WrongValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drey compare}: the same jobs on several state backends in one interleaved run, and a report of it. */
@Command(
        name = "compare",
        sortOptions = false,
        description =
                "Runs jobs on Drey and on the state backends that Flink ships, side by side, and writes a report.",
        footer = {
            "",
            "Examples:",
            "  drey compare --quick",
            "  drey compare --jobs last-seen,sample-join --contenders drey,rocksdb-tuned --measure 2min",
            "  drey compare --quick --jobs last-seen --contenders drey,rocksdb-tuned --iops 240 --burst 20000",
            "  drey compare --jobs last-seen --contenders drey,rocksdb-tuned --managed-memory 32m --scale 1,5,25",
            "  drey compare --quick --contender 'small=drey;state.backend.drey.block-size=4kb'",
            "  drey compare --shuffle --quick",
            "",
            "Exit codes: 0 everything was measured and the outputs of all contenders agree; 1 a cell failed, nothing "
                    + "could be measured of a job, or outputs differ or could not be compared (that of a single "
                    + "contender is not); 2 the command was wrong; 130 stopped with Ctrl-C: the report then holds what "
                    + "was measured until then."
        })
final class CompareCommand implements Callable<Integer> {
    static final int EXIT_COMPLETE = 0;
    static final int EXIT_WRONG = 1;
    static final int EXIT_STOPPED = 130;

    /** The usual directory of a comparison that starts now. */
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern(
                    "'comparison-'yyyy-MM-dd-HHmmss", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    /** The launcher says where the project is. */
    private static final String HOME = "drey.home";

    private static final int MOMENTS_BETWEEN_LINES = 10;
    private static final int REPETITIONS_MAX = 1_000;
    private static final double SCALE_MAX = 1_000;
    private static final List<String> CONTENDERS_QUICK = List.of("drey", "hashmap", "rocksdb", "rocksdb-tuned");

    /** Options that say where things go. */
    private static final List<String> PLACES = List.of("--output", "--work-dir", "--publish", "--from");

    /** Options that a comparison of shuffle services has too. */
    private static final Set<String> OF_SHUFFLE = Set.of(
            "--shuffle",
            "--quick",
            "--jobs",
            "--repetitions",
            "--iops",
            "--bandwidth",
            "--burst",
            "--burst-iops",
            "--output",
            "--work-dir");

    /** Options of a report of an earlier comparison. */
    private static final Set<String> OF_EARLIER = Set.of("--from", "--output", "--publish");

    private static final int SHUFFLE_REPETITIONS = 5;
    private static final int SHUFFLE_REPETITIONS_QUICK = 3;

    /** Instead of names: only what {@code --contender} defines. */
    private static final String NO_CONTENDER = "none";

    /** The names of the workloads, for help. */
    static final class JobNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Workloads.ALL.stream().map(Workload::name).iterator();
        }
    }

    /** The names of the contenders that come with Drey, for help. */
    static final class ContenderNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Contenders.names().iterator();
        }
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--quick",
            description = "Under 10 minutes: three jobs, four contenders, little memory, a few seconds a cell.")
    private boolean quick;

    @Option(
            names = "--shuffle",
            description = "Compare shuffle services instead, Flink's Netty and Drey's workers, in processes on this "
                    + "machine; with --quick, --repetitions (5, quick 3), --iops and its like, --output, --work-dir, "
                    + "and --jobs of random, compressible, empty, readers (these by default), concurrent-readers, "
                    + "tpch.")
    private boolean shuffle;

    @Option(
            names = "--jobs",
            split = ",",
            paramLabel = "NAME",
            completionCandidates = JobNames.class,
            description = "Jobs to run, separated by commas: ${COMPLETION-CANDIDATES}. Default: all of them, quick "
                    + "last-seen-small, interval-join and sample-join.")
    private List<String> jobs;

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            completionCandidates = ContenderNames.class,
            description = "Contenders of those that come with Drey, separated by commas: ${COMPLETION-CANDIDATES}. "
                    + "Default: all of them, quick drey, hashmap, rocksdb and rocksdb-tuned; 'none' leaves those of "
                    + "--contender.")
    private List<String> contenders;

    @Option(
            names = "--contender",
            paramLabel = "SPEC",
            description = "One more contender: 'name=FACTORY-CLASS-OR-CONTENDER[;jar=PATH][;OPTION=VALUE]...'; "
                    + "may be repeated.")
    private List<String> moreContenders = new ArrayList<>();

    @Option(
            names = "--repetitions",
            defaultValue = "3",
            paramLabel = "N",
            description = "Measured cells of each job on each contender. Default: ${DEFAULT-VALUE}.")
    private int repetitions;

    @Option(
            names = "--scale",
            split = ",",
            paramLabel = "TIMES",
            description = "State as a multiple of the managed memory, such as 5; of several, as 1,5,25, each job runs "
                    + "at each, and the report has charts over them. Default: each job's own.")
    private List<Double> scales = new ArrayList<>();

    @Option(
            names = "--fill-once",
            description =
                    "The first contender fills the state of a job for all: the others take it over by a savepoint "
                            + "in Flink's canonical format. For state that takes a contender long to fill.")
    private boolean fillOnce;

    @Mixin
    private CellOptions cell;

    @Mixin
    private DiskOptions disk;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory for report.html and comparison.json. Default: comparison-TIME here.")
    private Path output;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Run nothing: make the report of an earlier comparison.json, or of a published "
                    + "comparison.json.gz, beside it or in --output.")
    private Path from;

    @Option(
            names = "--publish",
            paramLabel = "NAME",
            description =
                    "Also keep the results in docs/results under this name, after the date, in place of older ones of "
                            + "the same jobs on the same disk, and renew the README's table; only if the exit code is 0.")
    private String publish;

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description = "State and checkpoints go into a directory of their own in this one while it runs. Default: "
                    + ".drey here.")
    private Path workDirectory;

    /** Whether this run made the directory for its report. */
    private boolean isPlaceNew;

    @Override
    public Integer call() throws CommandException {
        if (shuffle) {
            return compareShuffle();
        }
        checkPublish();
        CompareSettings settings = from == null ? settings() : null;
        if (from != null) {
            refuseOthers(OF_EARLIER, "is about a comparison that runs and does not go with --from.");
            if (!Files.isRegularFile(from)) {
                throw new CommandException("Expected an earlier comparison in " + from + ", found no such file.", null);
            }
        }
        Path place = place();
        try (StopSignal stop = new StopSignal()) {
            ReportFolder folder = new ReportFolder(place);
            return finish(folder, settings == null ? Comparison.read(from) : run(settings, folder, stop));
        } catch (IOException e) {
            throw failed(e, place);
        }
    }

    private CommandException failed(IOException e, Path place) {
        try {
            if (isPlaceNew) {
                FolderTree.deleteIfEmpty(place);
            }
        } catch (IOException left) {
            e.addSuppressed(left);
        }
        Map<String, Path> places = new LinkedHashMap<>();
        places.put("--work-dir", work());
        places.put("--output", place);
        String full = DirectoryFailure.full(e, places);
        String said = e instanceof FileSystemException || e.getMessage() == null ? e.toString() : e.getMessage();
        return new CommandException(full == null ? "The comparison failed: " + Sentence.ended(said) : full, e);
    }

    private Path work() {
        return workDirectory == null ? Path.of(".drey") : workDirectory;
    }

    private int compareShuffle() throws CommandException {
        ShuffleRun.Settings settings = shuffleSettings();
        Path place = place();
        ProgressLine line = ProgressLine.onConsole(spec.commandLine().getOut(), 1);
        try (StopSignal stop = new StopSignal()) {
            ShuffleReport report = new ShuffleReport(place);
            ShuffleRun run = new ShuffleRun(settings, new ShuffleProgress(line), report::keep);
            stop.requested().thenRun(run::stop);
            ShuffleComparison comparison = run.run();
            line.end();
            ShuffleSummary summary = new ShuffleSummary(comparison);
            PrintWriter out = spec.commandLine().getOut();
            summary.lines().forEach(out::println);
            out.println("The report: " + report.page());
            out.flush();
            if (comparison.status().equals("interrupted")) {
                return EXIT_STOPPED;
            }
            return summary.allWell() ? EXIT_COMPLETE : EXIT_WRONG;
        } catch (IOException e) {
            throw failed(e, place);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("The comparison was interrupted.", e);
        } finally {
            line.end();
        }
    }

    private ShuffleRun.Settings shuffleSettings() {
        refuseOthers(OF_SHUFFLE, "is about state backends and does not go with --shuffle.");
        boolean given = spec.commandLine().getParseResult().hasMatchedOption("--repetitions");
        int usual = quick ? SHUFFLE_REPETITIONS_QUICK : SHUFFLE_REPETITIONS;
        String wrong = WrongValue.first(given ? wrongRepetitions() : null, disk.wrong(spec));
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        try {
            return new ShuffleRun.Settings(
                    jobs == null ? ShuffleLoads.usual() : ShuffleLoads.named(jobs),
                    quick,
                    given ? repetitions : usual,
                    disk.disk(),
                    work().resolve("compare-shuffle").toAbsolutePath(),
                    List.of(Drey.class.getName(), "shuffle-worker"),
                    commandLine());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void refuseOthers(Set<String> allowed, String why) {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (!allowed.contains(option.longestName())) {
                throw new ParameterException(spec.commandLine(), option.longestName() + " " + why);
            }
        }
    }

    private String wrongRepetitions() {
        return WrongValue.unless(
                repetitions >= 1 && repetitions <= REPETITIONS_MAX,
                "--repetitions",
                "1 to " + REPETITIONS_MAX,
                repetitions);
    }

    private Path place() throws CommandException {
        Path place = output == null ? Path.of(NAME.format(Instant.now())) : output;
        if (from != null && output == null) {
            place = from.toAbsolutePath().getParent();
        }
        isPlaceNew = !Files.exists(place);
        try {
            return Files.createDirectories(place.toAbsolutePath());
        } catch (IOException e) {
            throw new CommandException(DirectoryFailure.unusable(place.toAbsolutePath(), "--output", e), e);
        }
    }

    /** Runs all cells, or as many as there are when the user wants to stop; the report is written anew after each. */
    private Comparison run(CompareSettings settings, ReportFolder folder, StopSignal stop) throws IOException {
        ProgressLine line = ProgressLine.onConsole(spec.commandLine().getOut(), MOMENTS_BETWEEN_LINES);
        try {
            Plan plan = ComparisonRun.plan(settings);
            for (Comparison.Skipped skipped : plan.skipped()) {
                line.say("Not run: " + skipped.job() + " on " + skipped.contender() + ". " + skipped.why());
            }
            ComparisonRun run =
                    new ComparisonRun(settings, plan, new CompareProgress(line, System::nanoTime), folder::keep);
            stop.requested().thenRun(run::stop);
            return run.run();
        } finally {
            line.end();
        }
    }

    private int finish(ReportFolder folder, Comparison comparison) throws CommandException, IOException {
        CompareSummary summary = new CompareSummary(comparison, folder.keep(comparison));
        PrintWriter out = spec.commandLine().getOut();
        summary.lines().forEach(out::println);
        out.println("The report: " + folder.report());
        boolean isInterrupted = comparison.status().equals("interrupted");
        if (publish != null && isInterrupted) {
            out.println("Not published, as the comparison was interrupted.");
        } else if (publish != null) {
            out.println("Published in " + publish(comparison) + ".");
        }
        out.flush();
        if (isInterrupted) {
            return EXIT_STOPPED;
        }
        return summary.allWell() ? EXIT_COMPLETE : EXIT_WRONG;
    }

    /** Before a run of hours. */
    private void checkPublish() throws CommandException {
        String wrong = WrongValue.unless(
                publish == null || PublishedResults.isName(publish), "--publish", PublishedResults.NAMES, publish);
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        if (publish != null && System.getProperty(HOME) == null) {
            throw new CommandException("--publish needs the project's files: run ./drey in the project.", null);
        }
    }

    private Path publish(Comparison comparison) throws CommandException, IOException {
        try {
            return PublishedResults.publish(Path.of(System.getProperty(HOME)), publish, comparison);
        } catch (IllegalArgumentException e) {
            throw new CommandException("The results cannot be published: " + e.getMessage() + ".", e);
        }
    }

    private CompareSettings settings() throws CommandException {
        String wrong = WrongValue.first(wrongRepetitions(), wrongScale(), cell.wrong(spec), disk.wrong(spec));
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        // What was in it goes: so it is never the user's directory itself.
        Path work = work().resolve(workDirectory == null ? "compare" : "drey-compare")
                .toAbsolutePath();
        try {
            Files.createDirectories(work);
            CompareSettings.Memory memory = cell.memory(quick);
            return new CompareSettings(
                    Workloads.scaled(workloads(), scales),
                    contenders(memory.managedBytes()),
                    repetitions,
                    fillOnce,
                    cell.seed(),
                    cell.time(quick),
                    memory,
                    disk.disk(),
                    work,
                    commandLine());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        } catch (IOException e) {
            throw new CommandException(DirectoryFailure.unusable(work, "--work-dir", e), e);
        }
    }

    private String wrongScale() {
        for (double scale : scales) {
            if (!(scale > 0 && scale <= SCALE_MAX)) {
                return WrongValue.unless(false, "--scale", "more than 0, at most " + SCALE_MAX, scale);
            }
        }
        return null;
    }

    private List<Workload> workloads() {
        if (jobs != null) {
            return Workloads.named(jobs);
        }
        return quick ? Workloads.QUICK : Workloads.ALL;
    }

    private List<Contender> contenders(long managedBytes) {
        Contenders known = new Contenders(managedBytes);
        List<Contender> chosen = new ArrayList<>();
        for (String name : names()) {
            add(chosen, known.named(name));
        }
        for (String definition : moreContenders) {
            add(chosen, known.parse(definition));
        }
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("There is no contender: name some with --contenders or --contender.");
        }
        return List.copyOf(chosen);
    }

    private List<String> names() {
        if (contenders == null) {
            return quick ? CONTENDERS_QUICK : Contenders.names();
        }
        return contenders.equals(List.of(NO_CONTENDER)) ? List.of() : contenders;
    }

    private static void add(List<Contender> chosen, Contender contender) {
        if (chosen.stream().anyMatch(other -> other.name().equals(contender.name()))) {
            throw new IllegalArgumentException("The contender " + contender.name() + " is named twice.");
        }
        chosen.add(contender);
    }

    /** The command as it was given, without what only says where things go, so that it can be repeated. */
    private String commandLine() {
        return GivenCommand.inProject(spec, PLACES);
    }
}
