package io.drey.cli.demo;

import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.StopSignal;
import io.drey.jobs.feed.FailAfter;
import io.drey.jobs.oracle.Oracle;
import io.drey.jobs.tally.ResultTally;
import io.drey.jobs.tally.Tally;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;

/** Submits the job, looks at it every second until it ends or is to be stopped, and makes the report. */
final class JobWatch {
    private static final long SECONDS_BETWEEN_MOMENTS = 1;

    private final DemoSettings settings;
    private final FailAfter failAfter;
    private final EmbeddedFlink flink;
    private final WorkDirectory directory;
    private final ProgressLine printer;
    private final ProgressSampler sampler;
    private boolean failureTold;
    private String savepoint;

    JobWatch(
            DemoSettings settings,
            FailAfter failAfter,
            EmbeddedFlink flink,
            WorkDirectory directory,
            ProgressLine printer) {
        this.settings = settings;
        this.failAfter = failAfter;
        this.flink = flink;
        this.directory = directory;
        this.printer = printer;
        this.sampler = new ProgressSampler(flink, settings.cluster(), directory);
    }

    DemoReport follow(StreamExecutionEnvironment env, long total, StopSignal stop) throws Exception {
        long started = System.nanoTime();
        CompletableFuture<JobResult> ended =
                flink.submit(env, settings.work().job().jobName());
        while (!waitForEnd(ended, stop)) {
            Progress progress = sampler.sample();
            tellFailure();
            printer.show(ProgressText.line(progress, total));
            stopIfDue(progress);
        }
        if (!ended.isDone()) {
            printer.say("Stopping; the last checkpoint stays.");
            flink.cancel().get();
        }
        JobResult result = ended.get();
        Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
        return report(result, elapsed, total);
    }

    /** Whether the job has ended or is to be stopped. */
    private static boolean waitForEnd(CompletableFuture<JobResult> ended, StopSignal stop)
            throws InterruptedException, ExecutionException {
        try {
            CompletableFuture.anyOf(ended, stop.requested()).get(SECONDS_BETWEEN_MOMENTS, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private void tellFailure() {
        if (failAfter != null && failAfter.fired() && !failureTold) {
            failureTold = true;
            printer.say("The job failed on purpose; Flink recovers it.");
        }
    }

    private void stopIfDue(Progress progress) throws InterruptedException, ExecutionException {
        Long stopAfter = settings.work().stopAfter();
        if (stopAfter != null && savepoint == null && progress.events() >= stopAfter) {
            printer.sayBriefly("Stopping with a savepoint.");
            String target = directory.checkpoints().toUri().toString();
            try {
                savepoint =
                        plain(flink.stop(target, settings.cluster().backend().savepoints())
                                .get());
            } catch (ExecutionException e) {
                if (!tooEarly(e)) {
                    throw e;
                }
            }
        }
    }

    /** Some task has not started yet, or just ended: it can be tried again in a moment. */
    private static boolean tooEarly(ExecutionException failure) {
        return ExceptionUtils.findThrowable(failure, CheckpointException.class)
                .filter(e -> e.getCheckpointFailureReason() == CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING)
                .isPresent();
    }

    /** A path as the option takes it. */
    private static String plain(String path) {
        return path.startsWith("file:") ? Path.of(URI.create(path)).toString() : path;
    }

    private DemoReport report(JobResult result, Duration elapsed, long total)
            throws IOException, InterruptedException, ReflectiveOperationException, CommandException,
                    JobExecutionException {
        Progress last = sampler.last();
        OptionalLong peak = ProcessMemory.peakResidentBytes();
        boolean cancelled = result.getJobStatus().orElse(null) == JobStatus.CANCELED;
        DemoReport.Result outcome = null;
        if (!cancelled) {
            Tally tally = ResultTally.of(
                    result.toJobExecutionResult(getClass().getClassLoader()).getAllAccumulatorResults());
            outcome = savepoint == null ? check(tally) : null;
        }
        CheckpointSummary.Completed checkpoint = last.checkpoints().last();
        String retained = cancelled && checkpoint != null ? plain(checkpoint.path()) : savepoint;
        return new DemoReport(
                settings,
                new DemoReport.Throughput(
                        outcome == null ? last.events() : total, total, elapsed, sampler.medianEventsPerSecond()),
                last.checkpoints(),
                new DemoReport.State(
                        last.diskBytes(),
                        last.memoryBytes(),
                        peak,
                        Runtime.getRuntime().maxMemory()),
                new DemoReport.Recovery(failAfter != null && failAfter.fired(), retained),
                outcome);
    }

    private DemoReport.Result check(Tally tally) throws IOException, CommandException {
        if (tally == null) {
            throw new CommandException(
                    "The job ended without a result: " + settings.checkpoints().restore()
                            + " was taken at the end of a run, nothing is left to do.",
                    null);
        }
        printer.sayBriefly("Computing the expected result to compare with.");
        DemoSettings.Work work = settings.work();
        return new DemoReport.Result(tally, Oracle.expect(work.job().jobName(), work.input(), work.repeat()));
    }
}
