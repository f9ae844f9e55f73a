package io.drey.cli.demo;

import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.StopSignal;
import io.drey.jobs.JobSettings;
import io.drey.jobs.data.DataLocation;
import io.drey.jobs.feed.FailAfter;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.LoggerFactory;

/**
 * One run from start to report: builds the job, starts Flink, watches, recovers what the user asked to fail, and compares
 * the result with the plain computation of it.
 */
public final class DemoRun {
    private static final int DISTINCT_RUN_CHARS = 8;

    private final DemoSettings settings;
    private final ProgressLine printer;
    private final FailAfter failAfter;

    public DemoRun(DemoSettings settings, ProgressLine printer) {
        this.settings = settings;
        this.printer = printer;
        Long events = settings.work().failAfter();
        this.failAfter = events == null
                ? null
                : new FailAfter(UUID.randomUUID().toString().substring(0, DISTINCT_RUN_CHARS), events);
    }

    /** Runs the job to its end or until the user stops it. */
    public DemoReport run(StopSignal stop) throws CommandException {
        try (WorkDirectory directory = new WorkDirectory(
                settings.cluster().workDirectory(), settings.checkpoints().directory())) {
            System.setProperty("drey.log.file", directory.log().toString());
            DemoReport report = run(directory, stop);
            if (!report.wrong()) {
                directory.deleteLog();
            }
            return report;
        } catch (CommandException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("The run was interrupted.", e);
        } catch (Exception e) {
            // Made only now: the name of the log file must be known when the first logger is.
            LoggerFactory.getLogger(DemoRun.class).error("The run failed", e);
            throw Failure.of(e, settings);
        } finally {
            printer.end();
        }
    }

    private DemoReport run(WorkDirectory directory, StopSignal stop) throws Exception {
        Configuration configuration = FlinkSettings.of(settings, directory);
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration);
        DemoSettings.Work work = settings.work();
        printer.sayBriefly("Reading the data set.");
        long total = work.job().build(env, jobSettings(work));

        printer.sayBriefly("Starting Flink.");
        try (EmbeddedFlink flink = new EmbeddedFlink(configuration)) {
            if (settings.cluster().webUiPort() != null) {
                printer.say("Flink's web UI: " + flink.webAddress());
            }
            return new JobWatch(settings, failAfter, flink, directory, printer).follow(env, total, stop);
        }
    }

    private JobSettings jobSettings(DemoSettings.Work work) {
        Path output = work.output();
        return new JobSettings(
                work.input() == null ? DataLocation.builtIn() : DataLocation.in(work.input()),
                work.repeat(),
                failAfter,
                output == null ? null : output.toAbsolutePath().toUri().toString());
    }
}
