package io.drey.cli;

import io.drey.cli.demo.Backend;
import io.drey.cli.demo.DemoReport;
import io.drey.cli.demo.DemoRun;
import io.drey.cli.demo.DemoSettings;
import io.drey.cli.demo.ReportJson;
import io.drey.cli.demo.ReportText;
import io.drey.cli.format.BytesConverter;
import io.drey.cli.format.DurationConverter;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.StopSignal;
import io.drey.cli.terminal.WrongValue;
import io.drey.jobs.FlightJob;
import io.drey.jobs.feed.FeedSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drey demo}: a real job on an embedded Flink, with its result checked. */
@Command(
        name = "demo",
        sortOptions = false,
        description = "Runs a Flink job on real data in this process and checks its result.",
        footer = {
            "",
            "Examples:",
            "  drey demo",
            "  drey demo flight-sample --fail-after 500000",
            "  drey demo last-seen --repeat 20 --managed-memory 16m --backend rocksdb",
            "",
            "The result is compared with that of a plain computation of the same data; exit codes: 0 it is exact, "
                    + "1 it is wrong or the run failed, 2 the command was wrong, 130 stopped with Ctrl-C."
        })
final class DemoCommand implements Callable<Integer> {
    static final int EXIT_EXACT = 0;
    static final int EXIT_FAILED = 1;
    static final int EXIT_STOPPED = 130;

    private static final int SECONDS_BETWEEN_LINES = 5;
    private static final int PORT_MAX = 65_535;

    /** The names of the jobs, for help. */
    static final class JobNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(FlightJob.values()).map(FlightJob::jobName).iterator();
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB",
            defaultValue = "last-seen",
            completionCandidates = JobNames.class,
            description = {
                "last-seen (default): when each kind of event of an aircraft at an airport was seen last;",
                "weather-join: flights joined with the weather of their airport;",
                "flight-sample: all messages about a flight collected in one object."
            })
    private String job;

    @Option(
            names = "--backend",
            defaultValue = "drey",
            paramLabel = "NAME",
            description = "State backend: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Backend backend;

    @Option(
            names = "--input",
            paramLabel = "DIR",
            description = "Read flights.csv.gz, weather.csv.gz and planes.csv.gz from here and not from the data set "
                    + "that ships with Drey.")
    private Path input;

    @Option(
            names = "--repeat",
            defaultValue = "1",
            paramLabel = "N",
            description = "Replay the data set N times side by side, with other keys and times, so that the state is N "
                    + "times as large. Default: ${DEFAULT-VALUE}.")
    private int repeat;

    @Option(
            names = "--parallelism",
            defaultValue = "2",
            paramLabel = "N",
            description = "Parallel subtasks of each operator, 1 to " + FeedSource.PARALLELISM_MAX
                    + ". Default: ${DEFAULT-VALUE}.")
    private int parallelism;

    @Option(
            names = "--managed-memory",
            defaultValue = "128m",
            paramLabel = "SIZE",
            converter = BytesConverter.class,
            description =
                    "Memory of the state backend, for all subtasks together, e.g. 16m. Default: ${DEFAULT-VALUE}.")
    private long managedBytes;

    @Option(
            names = "--checkpoint-interval",
            defaultValue = "10s",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between checkpoints, e.g. 500ms, 10s, 5min. Default: ${DEFAULT-VALUE}.")
    private Duration checkpointInterval;

    @Option(
            names = "--checkpoint-dir",
            paramLabel = "DIR",
            description = "Directory for checkpoints. Default: checkpoints in the working directory.")
    private Path checkpointDirectory;

    @Option(
            names = "--fail-after",
            paramLabel = "N",
            description = "Throw once after N events; Flink recovers from the last checkpoint.")
    private Long failAfter;

    @Option(
            names = "--stop-after",
            paramLabel = "N",
            description =
                    "Stop after about N events with a savepoint, from which any backend can go on (of forst, only forst).")
    private Long stopAfter;

    @Option(
            names = "--restore",
            paramLabel = "PATH",
            description = "Start from a checkpoint or savepoint of the same job, input and --repeat.")
    private Path restore;

    @Option(names = "--output", paramLabel = "DIR", description = "Also write the result rows to this directory.")
    private Path output;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the summary to this file, as JSON.")
    private Path json;

    @Option(
            names = "--web-ui",
            arity = "0..1",
            fallbackValue = "8081",
            paramLabel = "PORT",
            description = "Serve Flink's web UI while the job runs, on port ${FALLBACK-VALUE} or PORT; 0 takes any.")
    private Integer webUiPort;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "Set any option of Flink's configuration; may be repeated.")
    private Map<String, String> flinkOptions = new LinkedHashMap<>();

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description = "Directory for temporary files. Default: .drey in the current directory.")
    private Path workDirectory;

    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    @Override
    public Integer call() throws CommandException {
        DemoSettings settings = settings();
        PrintWriter out = spec.commandLine().getOut();
        ProgressLine printer = ProgressLine.onConsole(out, SECONDS_BETWEEN_LINES);
        try (StopSignal stop = new StopSignal()) {
            DemoReport report = new DemoRun(settings, printer).run(stop);
            ReportText.lines(report).forEach(out::println);
            out.flush();
            writeJson(report);
            if (report.wrong()) {
                return EXIT_FAILED;
            }
            return report.stopped() && stopAfter == null ? EXIT_STOPPED : EXIT_EXACT;
        }
    }

    private DemoSettings settings() throws CommandException {
        FlightJob chosen;
        try {
            chosen = FlightJob.named(job);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        check(repeat >= 1 && repeat <= FeedSource.REPEAT_MAX, "--repeat", "1 to " + FeedSource.REPEAT_MAX, repeat);
        check(
                parallelism >= 1 && parallelism <= FeedSource.PARALLELISM_MAX,
                "--parallelism",
                "1 to " + FeedSource.PARALLELISM_MAX,
                parallelism);
        check(managedBytes > 0, "--managed-memory", "more than nothing", managedBytes);
        check(
                checkpointInterval.toMillis() >= 10,
                "--checkpoint-interval",
                "at least 10ms",
                checkpointInterval.toMillis() + "ms");
        check(failAfter == null || failAfter >= 1, "--fail-after", "at least 1", failAfter);
        check(stopAfter == null || stopAfter >= 1, "--stop-after", "at least 1", stopAfter);
        check(
                webUiPort == null || (webUiPort >= 0 && webUiPort <= PORT_MAX),
                "--web-ui",
                "a port from 0 to " + PORT_MAX,
                webUiPort);
        checkInput();
        checkRestore();
        return new DemoSettings(
                new DemoSettings.Work(chosen, input, repeat, output, failAfter, stopAfter),
                new DemoSettings.Cluster(backend, parallelism, managedBytes, webUiPort, flinkOptions, workDirectory()),
                new DemoSettings.Checkpoints(checkpointInterval, checkpointDirectory, restore));
    }

    private void check(boolean right, String option, String expected, Object found) {
        if (!right) {
            throw wrong(WrongValue.of(option, expected, found));
        }
    }

    private void checkInput() throws CommandException {
        if (input != null && !Files.isDirectory(input)) {
            throw new CommandException("The input " + input + " is not a directory.", null);
        }
    }

    private void checkRestore() throws CommandException {
        if (restore == null) {
            return;
        }
        if (!Files.exists(restore)) {
            throw new CommandException("There is no checkpoint at " + restore + ".", null);
        }
        if (Files.isDirectory(restore) && !Files.isRegularFile(restore.resolve("_metadata"))) {
            throw new CommandException(
                    "The directory " + restore + " holds no checkpoint: it has no file _metadata.", null);
        }
    }

    private Path workDirectory() {
        if (workDirectory != null) {
            return workDirectory;
        }
        Path current = Path.of("").toAbsolutePath();
        return Files.isWritable(current)
                ? current.resolve(".drey")
                : Path.of(System.getProperty("java.io.tmpdir"), ".drey");
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private void writeJson(DemoReport report) throws CommandException {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(json, ReportJson.of(report));
        } catch (IOException e) {
            throw new CommandException("The summary cannot be written to " + json + ": " + e + ".", e);
        }
    }
}
