package io.drey.cli.demo;

import io.drey.bench.format.Quantity;
import io.drey.bench.run.MachineFacts;
import io.drey.cli.format.BytesConverter;
import io.drey.cli.format.DurationConverter;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.WrongValue;
import io.drey.jobs.FlightJob;
import io.drey.jobs.replay.Replay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of a demo: its job, its backend, its files and checkpoints. */
public final class DemoOptions {
    private static final int PORT_MAX = 65_535;
    private static final int CHECKPOINT_INTERVAL_MS_MIN = 10;

    @Parameters(
            arity = "0..1",
            paramLabel = "JOB",
            defaultValue = "last-seen",
            description = {
                "last-seen (default): when each kind of event of an aircraft at an airport was seen last;",
                "weather-join: flights joined with the weather of their airport;",
                "flight-sample: all messages about a flight collected in one object."
            })
    String job;

    @Option(
            names = "--backend",
            defaultValue = "drey",
            paramLabel = "NAME",
            description = "State backend: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Backend backend;

    @Option(
            names = "--input",
            paramLabel = "DIR",
            description = "Read flights.csv.gz, weather.csv.gz and planes.csv.gz from here and not from the data set "
                    + "that ships with Drey.")
    Path input;

    @Option(
            names = "--repeat",
            defaultValue = "1",
            paramLabel = "N",
            description = "Replay the data set N times side by side, with other keys and times, so that the state is N "
                    + "times as large. Default: ${DEFAULT-VALUE}.")
    int repeat;

    @Option(
            names = "--parallelism",
            defaultValue = "2",
            paramLabel = "N",
            description = "Parallel subtasks of each operator, 1 to " + Replay.PARALLELISM_MAX
                    + ". Default: ${DEFAULT-VALUE}.")
    int parallelism;

    @Option(
            names = "--managed-memory",
            defaultValue = "128m",
            paramLabel = "SIZE",
            converter = BytesConverter.class,
            description =
                    "Memory of the state backend, for all subtasks together, e.g. 16m. Default: ${DEFAULT-VALUE}.")
    long managedBytes;

    @Option(
            names = "--checkpoint-interval",
            defaultValue = "10s",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between checkpoints, e.g. 500ms, 10s, 5min. Default: ${DEFAULT-VALUE}.")
    Duration checkpointInterval;

    @Option(
            names = "--checkpoint-dir",
            paramLabel = "DIR",
            description = "Directory for checkpoints. Default: checkpoints in the working directory.")
    Path checkpointDirectory;

    @Option(
            names = "--fail-after",
            paramLabel = "N",
            description = "Throw once after N events; Flink recovers from the last checkpoint.")
    Long failAfter;

    @Option(
            names = "--stop-after",
            paramLabel = "N",
            description = "Stop after about N events with a savepoint, from which any backend can go on (of forst, only"
                    + " forst).")
    Long stopAfter;

    @Option(
            names = "--restore",
            paramLabel = "PATH",
            description = "Start from a checkpoint or savepoint of the same job, input and --repeat.")
    Path restore;

    @Option(names = "--output", paramLabel = "DIR", description = "Also write the result rows to this directory.")
    Path output;

    @Option(
            names = "--web-ui",
            arity = "0..1",
            fallbackValue = "8081",
            paramLabel = "PORT",
            description = "Serve Flink's web UI while the job runs, on port ${FALLBACK-VALUE} or PORT; 0 takes any.")
    Integer webUiPort;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "Set any option of Flink's configuration; may be repeated.")
    Map<String, String> flinkOptions = new LinkedHashMap<>();

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description = "Directory for temporary files. Default: .drey in the current directory.")
    Path workDirectory;

    /** What is wrong with a value, in a sentence, or null. */
    public String wrong(CommandSpec spec) {
        try {
            FlightJob.named(job);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        long intervalMs = checkpointInterval.toMillis();
        long machineBytes = MachineFacts.memoryBytes();
        return WrongValue.first(
                atMost("--repeat", repeat, Replay.REPEAT_MAX),
                atMost("--parallelism", parallelism, Replay.PARALLELISM_MAX),
                WrongValue.unless(managedBytes > 0, "--managed-memory", "more than nothing", spec),
                WrongValue.unless(
                        managedBytes <= machineBytes || machineBytes < 0,
                        "--managed-memory",
                        "at most the " + Quantity.size(machineBytes) + " of this machine",
                        spec),
                WrongValue.unless(!flinkOptions.containsKey(""), "-D", "KEY=VALUE", "=" + flinkOptions.get("")),
                WrongValue.unless(
                        intervalMs >= CHECKPOINT_INTERVAL_MS_MIN,
                        "--checkpoint-interval",
                        "at least " + CHECKPOINT_INTERVAL_MS_MIN + "ms",
                        spec),
                positive("--fail-after", failAfter),
                positive("--stop-after", stopAfter),
                WrongValue.unless(
                        webUiPort == null || (webUiPort >= 0 && webUiPort <= PORT_MAX),
                        "--web-ui",
                        "a port from 0 to " + PORT_MAX,
                        webUiPort));
    }

    private static String atMost(String option, int value, int max) {
        return WrongValue.unless(value >= 1 && value <= max, option, "1 to " + max, value);
    }

    private static String positive(String option, Long value) {
        return WrongValue.unless(value == null || value >= 1, option, "at least 1", value);
    }

    /** Throws if what the run is to read is not there. */
    void checkFiles() throws CommandException {
        if (input != null && !Files.isDirectory(input)) {
            throw new CommandException("The input " + input + " is not a directory.", null);
        }
        if (restore != null && !Files.exists(restore)) {
            throw new CommandException("There is no checkpoint at " + restore + ".", null);
        }
        if (restore != null && Files.isDirectory(restore) && !Files.isRegularFile(restore.resolve("_metadata"))) {
            throw new CommandException(
                    "The directory " + restore + " holds no checkpoint: it has no file _metadata.", null);
        }
    }

    FlightJob job() {
        return FlightJob.named(job);
    }

    Path workDirectory() {
        if (workDirectory != null) {
            return workDirectory;
        }
        Path current = Path.of("").toAbsolutePath();
        return Files.isWritable(current)
                ? current.resolve(".drey")
                : Path.of(System.getProperty("java.io.tmpdir"), ".drey");
    }

    /** Whether the run is to stop by itself. */
    public boolean stops() {
        return stopAfter != null;
    }

    /** The checkpoint or savepoint to start from, or null. */
    public Path restore() {
        return restore;
    }
}
