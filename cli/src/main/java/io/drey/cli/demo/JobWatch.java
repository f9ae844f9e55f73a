package io.drey.cli.demo;

import io.drey.bench.flink.EmbeddedFlink;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.StopSignal;
import io.drey.jobs.feed.FailAfter;
import io.drey.jobs.oracle.Oracle;
import io.drey.jobs.tally.ResultTally;
import io.drey.jobs.tally.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.util.ExceptionUtils;

/** Submits the job, looks at it every second until it ends or is to be stopped, and makes the report. */
final class JobWatch {
    private static final Set<CheckpointFailureReason> OUT_OF_TIME = EnumSet.of(
            CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING,
            CheckpointFailureReason.CHECKPOINT_COORDINATOR_SUSPEND,
            CheckpointFailureReason.CHECKPOINT_COORDINATOR_SHUTDOWN);

    private static final long SECONDS_BETWEEN_MOMENTS = 1;

    private final DemoOptions options;
    private final FailAfter failAfter;
    private final EmbeddedFlink flink;
    private final WorkDirectory directory;
    private final ProgressLine printer;
    private boolean failureTold;
    private String savepoint;

    JobWatch(
            DemoOptions options,
            FailAfter failAfter,
            EmbeddedFlink flink,
            WorkDirectory directory,
            ProgressLine printer) {
        this.options = options;
        this.failAfter = failAfter;
        this.flink = flink;
        this.directory = directory;
        this.printer = printer;
    }

    DemoReport follow(long total, StopSignal stop) throws Exception {
        long started = System.nanoTime();
        CompletableFuture<JobResult> ended = flink.submit();
        try (ProgressSampler sampler = new ProgressSampler(flink, options, directory)) {
            while (!waitForEnd(ended, stop)) {
                Progress progress = sampler.sample();
                tellFailure();
                printer.show(progress.line(total));
                stopIfDue(progress, ended);
            }
            if (!ended.isDone()) {
                printer.say("Stopping; the last checkpoint stays.");
                flink.cancel().get();
            }
            JobResult result = ended.get();
            Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
            return report(result, elapsed, total, sampler);
        }
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

    private void stopIfDue(Progress progress, Future<?> ended) throws InterruptedException, ExecutionException {
        if (options.stopAfter != null && savepoint == null && progress.events() >= options.stopAfter) {
            printer.sayBriefly("Stopping with a savepoint.");
            try {
                savepoint = flink.stop(directory.checkpoints(), options.backend.savepoints())
                        .get();
            } catch (ExecutionException e) {
                if (!isOutOfTime(e) && !ended.isDone()) {
                    throw e;
                }
            }
        }
    }

    /**
     * Some task has not started yet, or the job restarts or came to its end just now: it can be tried again in a moment,
     * if the job goes on.
     */
    static boolean isOutOfTime(Throwable failure) {
        return ExceptionUtils.findThrowable(failure, CheckpointException.class)
                .filter(e -> OUT_OF_TIME.contains(e.getCheckpointFailureReason()))
                .isPresent();
    }

    private DemoReport report(JobResult ended, Duration elapsed, long total, ProgressSampler sampler)
            throws IOException, InterruptedException, ReflectiveOperationException, CommandException,
                    JobExecutionException {
        Progress last = sampler.last();
        Long peak = sampler.peakResidentBytes();
        boolean cancelled = ended.getJobStatus().orElse(null) == JobStatus.CANCELED;
        DemoReport.Result result = null;
        if (!cancelled) {
            Tally tally = ResultTally.of(
                    ended.toJobExecutionResult(getClass().getClassLoader()).getAllAccumulatorResults());
            result = savepoint == null ? check(tally) : null;
        }
        String retained = cancelled ? flink.retained() : null;
        return new DemoReport(
                options.job,
                options.backend,
                result == null ? DemoReport.Outcome.stopped : result.outcome(),
                options.repeat,
                options.parallelism,
                result == null ? last.events() : total,
                total,
                elapsed.toMillis(),
                sampler.medianEventsPerSecond(),
                last.checkpoints(),
                new DemoReport.Recovery(
                        options.failAfter,
                        failAfter != null && failAfter.fired(),
                        sampler.restored(),
                        retained == null ? savepoint : retained),
                new DemoReport.Memory(peak, Runtime.getRuntime().maxMemory(), options.managedBytes),
                new DemoReport.State(last.diskBytes(), last.memoryBytes()),
                result);
    }

    private DemoReport.Result check(Tally tally) throws IOException, CommandException {
        if (tally == null) {
            throw new CommandException(
                    "The job ended without a result: " + options.restore
                            + " was taken at the end of a run, nothing is left to do.",
                    null);
        }
        printer.sayBriefly("Computing the expected result to compare with.");
        return DemoReport.Result.of(tally, Oracle.expect(options.job, options.input, options.repeat));
    }
}
