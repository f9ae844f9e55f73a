package io.drey.cli.demo;

import io.drey.bench.flink.EmbeddedFlink;
import io.drey.bench.flink.FlinkSettings;
import io.drey.bench.run.MachineFacts;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.StopSignal;
import io.drey.jobs.JobSettings;
import io.drey.jobs.data.DataLocation;
import io.drey.jobs.feed.FailAfter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.LoggerFactory;

/**
 * One run from start to report: builds the job, starts Flink, watches, recovers what the user asked to fail, and
 * compares the result with the plain computation of it.
 */
public final class DemoRun {
    private static final int DISTINCT_RUN_CHARS = 8;
    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

    private final DemoOptions options;
    private final ProgressLine printer;
    private final FailAfter failAfter;
    private String warning;

    public DemoRun(DemoOptions options, ProgressLine printer) {
        this.options = options;
        this.printer = printer;
        this.failAfter = options.failAfter == null
                ? null
                : new FailAfter(UUID.randomUUID().toString().substring(0, DISTINCT_RUN_CHARS), options.failAfter);
    }

    /** Runs the job to its end or until the user stops it. */
    public DemoReport run(StopSignal stop) throws CommandException {
        options.checkFiles();
        WorkDirectory directory = WorkDirectory.make(options.workDirectory(), options.checkpointDirectory);
        System.setProperty("drey.log.file", directory.log().toString());
        DemoReport report = null;
        try {
            report = run(directory, stop);
            return report;
        } catch (CommandException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("The run was interrupted.", e);
        } catch (Exception e) {
            // Made only now: the name of the log file must be known when the first logger is.
            LoggerFactory.getLogger(DemoRun.class).error("The run failed", e);
            throw new CommandException(sentence(e, directory), e);
        } finally {
            printer.end();
            leave(directory, report != null && !report.wrong());
        }
    }

    /** What cannot be deleted must not cost the user the report. */
    private void leave(WorkDirectory directory, boolean isWell) {
        try (directory) {
            if (isWell) {
                directory.deleteLog();
            }
        } catch (IOException e) {
            warning = "Not everything that the run left could be deleted: " + e + ".";
        }
    }

    /** What the user should know beside the report, in a sentence, or null. */
    public String warning() {
        return warning;
    }

    private DemoReport run(WorkDirectory directory, StopSignal stop) throws Exception {
        Configuration configuration = configuration(directory);
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration);
        printer.sayBriefly("Drey " + MachineFacts.drey() + " on Flink " + MachineFacts.flink() + " and Java "
                + System.getProperty("java.version") + ". Reading the data set.");
        long total = options.job().build(env, jobSettings());

        printer.sayBriefly("Starting Flink.");
        try (EmbeddedFlink flink = new EmbeddedFlink(configuration, env, options.job)) {
            directory.job(flink.jobId());
            if (options.webUiPort != null) {
                printer.say("Flink's web UI: " + flink.webAddress());
            }
            return new JobWatch(options, failAfter, flink, directory, printer).follow(total, stop);
        }
    }

    private Configuration configuration(WorkDirectory directory) {
        Configuration configuration = new FlinkSettings(
                        options.parallelism,
                        options.managedBytes,
                        options.checkpointInterval,
                        directory.temporary(),
                        directory.local(),
                        directory.checkpoints())
                .configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, options.backend.type);
        if (options.backend == Backend.rocksdb || options.backend == Backend.forst) {
            configuration.setString("state.backend." + options.backend + ".metrics.block-cache-usage", "true");
        }
        // A large savepoint takes longer than a call may usually last.
        configuration.setString("pekko.ask.timeout", "1 h");
        if (options.webUiPort != null) {
            configuration.set(RestOptions.PORT, options.webUiPort);
            configuration.set(RestOptions.BIND_PORT, Integer.toString(options.webUiPort));
        }
        if (options.restore != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, FlinkSettings.uri(options.restore));
        }
        // A failure on purpose is recovered from; any other failure is to be seen at once.
        if (failAfter != null) {
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, RESTART_DELAY);
        }
        options.flinkOptions.forEach(configuration::setString);
        return configuration;
    }

    private JobSettings jobSettings() {
        Path output = options.output;
        return new JobSettings(
                options.input == null ? DataLocation.builtIn() : DataLocation.in(options.input),
                options.repeat,
                failAfter,
                output == null ? null : FlinkSettings.uri(output));
    }

    /** What a failure means for the user, and where to read more. */
    private String sentence(Throwable failure, WorkDirectory directory) {
        Map<String, Path> places = new LinkedHashMap<>();
        places.put("--work-dir", directory.root());
        if (options.checkpointDirectory != null) {
            places.put("--checkpoint-dir", directory.checkpoints());
        }
        if (options.output != null) {
            places.put("--output", options.output);
        }
        String full = DirectoryFailure.full(failure, places);
        DemoFailure other = new DemoFailure(options.restore, directory.checkpoints());
        return (full != null ? full : other.sentence(failure)) + hint(directory.log());
    }

    /** Where to read more, if there is something to read. */
    private static String hint(Path log) {
        try {
            return Files.exists(log) && Files.size(log) > 0 ? " (Flink's log is in " + log + ".)" : "";
        } catch (IOException e) {
            return "";
        }
    }
}
