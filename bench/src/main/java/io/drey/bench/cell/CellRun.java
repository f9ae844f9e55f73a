package io.drey.bench.cell;

import io.drey.bench.flink.CheckpointTimes;
import io.drey.bench.flink.EmbeddedFlink;
import io.drey.bench.flink.FailureSentence;
import io.drey.bench.probe.ProcessProbe;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.ProcessSample;
import io.drey.jobs.LoadJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.LoggerFactory;

/**
 * The course of a cell, from the start of Flink to the result. A cell that fills the state: fill, or restore what
 * another one filled, checkpoint, stop. Any other: restore, warm-up, measure, stop. Used by one thread,
 * which looks at the job meanwhile and takes a sample each second; whatever goes wrong, the result has what was found.
 */
final class CellRun {
    private static final long MILLI = 1_000_000;
    private static final double MILLIS = 1000;

    /** Between samples. */
    private static final long SAMPLE_MS = 1000;

    /** Between looks for the first event. */
    private static final long FIRST_EVENT_POLL_MS = 5;

    /** Between looks whether the state has its size. */
    private static final long FILLED_POLL_MS = 20;

    /** Between looks for the end of a checkpoint. */
    private static final long CHECKPOINT_POLL_MS = 50;

    /** The checkpoint that a fill leaves writes all of the state. */
    private static final long LAST_CHECKPOINT_MS_MAX = 300_000;

    /** A checkpoint that is under way when the time is over may still complete. */
    private static final long PENDING_CHECKPOINT_MS_MAX = 10_000;

    private static final long CANCEL_MS_MAX = 60_000;
    private static final long SHUT_DOWN_MS_MAX = 2_000;

    private final CellSpec spec;
    private final Path temporary;
    private final CellProgress progress;
    private final boolean fills;
    private final boolean restores;

    private final List<ProcessSample> samples = new ArrayList<>();
    private final CheckpointTimes checkpoints = new CheckpointTimes();
    private CellJob job;
    private EmbeddedFlink flink;
    private ProcessProbe probe;
    private CompletableFuture<JobResult> ended;
    private long submittedNanos;
    private long nextSampleNanos;
    private long events;
    private double firstEventMs = -1;
    private long firstEvent = -1;
    private long lastEvent = -1;
    private double measuredFrom = Double.POSITIVE_INFINITY;
    private double measuredTo = Double.POSITIVE_INFINITY;
    private CellResult.Commits commits;
    private String retained;
    private String error;

    /**
     * @param temporary directory for what Flink needs beside the state, such as its own libraries
     */
    CellRun(CellSpec spec, Path temporary, CellProgress progress) {
        this.spec = spec;
        this.temporary = temporary;
        this.progress = progress;
        this.fills = spec.fills() && !spec.load().stateless();
        this.restores = spec.places().restore() != null;
    }

    /** The longest that a cell takes once its job is submitted, if its process is well. */
    static long limitMs(CellSpec spec) {
        CellSpec.Time time = spec.time();
        long finish = spec.fills() ? LAST_CHECKPOINT_MS_MAX : PENDING_CHECKPOINT_MS_MAX;
        long savepoint = spec.places().savepoints() == null ? 0 : time.fillMsMax();
        return time.fillMsMax() + time.warmUpMs() + time.measureMs() + savepoint + finish + 2 * CANCEL_MS_MAX;
    }

    CellResult run() {
        try {
            start();
            awaitFirstEvent();
            if (fills) {
                fill();
            } else {
                warmUp();
                measure();
            }
            finishCheckpoints();
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            error = "The cell was interrupted.";
        } catch (Throwable e) {
            // Errors too, such as of linking or of memory: whatever it is, the result tells it.
            LoggerFactory.getLogger(CellRun.class).error("The cell failed", e);
            error = sentence(e);
        }
        return result();
    }

    static String sentence(Throwable failure) {
        return failure instanceof CellException ? failure.getMessage() : FailureSentence.of(failure);
    }

    /** Lets go of what is left; Flink may finish what it deletes in the background, for a moment. */
    void close() throws InterruptedException {
        if (probe != null) {
            probe.close();
        }
        if (flink != null) {
            try {
                flink.shutDown().get(SHUT_DOWN_MS_MAX, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                LoggerFactory.getLogger(CellRun.class).warn("Flink did not shut down in order", e);
            }
        }
    }

    private void start() throws Exception {
        progress.phase(CellPhase.START);
        job = new CellJob(spec);
        Configuration configuration = job.configuration(temporary);
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration);
        job.build(env, temporary);
        flink = new EmbeddedFlink(configuration, env, spec.job());
        CellSpec.Places places = spec.places();
        probe = new ProcessProbe(Path.of(places.local()), Path.of(places.checkpoints()), places.device());
        probe.tasks(flink.vertices());
        submittedNanos = System.nanoTime();
        nextSampleNanos = submittedNanos + SAMPLE_MS * MILLI;
        ended = flink.submit();
    }

    private void awaitFirstEvent() throws Exception {
        if (fills || restores) {
            progress.phase(fills ? CellPhase.FILL : CellPhase.RESTORE);
        }
        runUntil(this::hasBegun, FIRST_EVENT_POLL_MS, false, spec.time().fillMsMax());
        firstEventMs = sinceSubmitMs();
    }

    /** The source begins first, and runs ahead: the first event after the restore was at the end of the fill at most. */
    private boolean hasBegun() {
        if (firstEvent < 0) {
            long position = job.position();
            firstEvent = position > 0 ? restores ? Math.min(position, job.fillEnd()) : 0 : -1;
        }
        return job.events().orElse(0) > 0;
    }

    /** The source stops then, and the last sample ends with it. */
    private void fill() throws Exception {
        // What is taken over has its size, and has begun.
        runUntil(
                () -> restores || hasFilled(),
                FILLED_POLL_MS,
                false,
                spec.time().fillMsMax());
        if (job.events().orElse(0) > events) {
            sample(false);
        }
        // Its last checkpoint is no time of filling.
        nextSampleNanos = Long.MAX_VALUE;
        lastEvent = job.position();
    }

    private boolean hasFilled() {
        double filled = job.filled();
        progress.done(filled);
        return filled == 1;
    }

    private void warmUp() throws Exception {
        progress.phase(CellPhase.WARM_UP);
        double until = firstEventMs + spec.time().warmUpMs();
        runUntilSampled(
                () -> sinceSubmitMs() >= until,
                false,
                spec.time().fillMsMax() + spec.time().warmUpMs());
    }

    private void measure() throws Exception {
        measuredFrom = probe.second();
        LoadJob.measureCommits();
        progress.phase(CellPhase.MEASURE);
        double until = measuredFrom + spec.time().measureMs() / MILLIS;
        runUntilSampled(() -> probe.second() >= until, true, Long.MAX_VALUE / MILLI);
        measuredTo = probe.second();
        lastEvent = job.position();
        commits = CellJob.commits();
    }

    private void finishCheckpoints() throws Exception {
        progress.phase(CellPhase.STOP);
        if (fills) {
            String savepoints = spec.places().savepoints();
            if (savepoints != null) {
                await(
                        flink.savepoint(Path.of(savepoints), SavepointFormatType.CANONICAL),
                        spec.time().fillMsMax());
            }
            await(flink.checkpoint(), LAST_CHECKPOINT_MS_MAX);
            lookAtCheckpoints();
            return;
        }
        lookAtCheckpoints();
        long waitedFor = checkpoints.pending();
        if (waitedFor < 0) {
            return;
        }
        double until = sinceSubmitMs() + PENDING_CHECKPOINT_MS_MAX;
        runUntil(() -> !isPending(waitedFor) || sinceSubmitMs() >= until, CHECKPOINT_POLL_MS, false, Double.MAX_VALUE);
        if (isPending(waitedFor)) {
            checkpoints.giveUp(waitedFor);
        }
    }

    private void await(CompletableFuture<String> snapshot, long msMax) throws Exception {
        runUntil(snapshot::isDone, CHECKPOINT_POLL_MS, false, sinceSubmitMs() + msMax);
        snapshot.get();
    }

    private boolean isPending(long checkpoint) {
        try {
            lookAtCheckpoints();
            return checkpoints.pending() == checkpoint;
        } catch (InterruptedException e) {
            // The next wait of this thread ends at once and tells.
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void stop() throws Exception {
        flink.cancel().get(CANCEL_MS_MAX, TimeUnit.MILLISECONDS);
        ended.get(CANCEL_MS_MAX, TimeUnit.MILLISECONDS);
        retained = flink.retained();
        if (fills && retained == null) {
            throw new CellException("The fill left no checkpoint, although one had completed.", null);
        }
    }

    /** Goes on until something is so at the end of a sample. */
    private void runUntilSampled(BooleanSupplier done, boolean measured, double limitMs) throws Exception {
        boolean over = false;
        while (!over) {
            failIfEndedWithin(Math.max(1, (nextSampleNanos - System.nanoTime()) / MILLI));
            over = sampleIfDue(measured) && done.getAsBoolean();
            failIfLate(over, limitMs);
        }
    }

    /** Goes on until something is so. */
    private void runUntil(BooleanSupplier done, long pollMs, boolean measured, double limitMs) throws Exception {
        boolean over = false;
        while (!over) {
            failIfEndedWithin(pollMs);
            sampleIfDue(measured);
            over = done.getAsBoolean();
            failIfLate(over, limitMs);
        }
    }

    private double sinceSubmitMs() {
        return (System.nanoTime() - submittedNanos) / (double) MILLI;
    }

    private void failIfLate(boolean over, double limitMs) throws CellException {
        if (!over && sinceSubmitMs() > limitMs) {
            throw new CellException(
                    (fills ? "The fill" : "The restore") + " was not done within " + Math.round(limitMs / MILLIS)
                            + " s; it had processed " + events + " events. Give it more time, or less state.",
                    null);
        }
    }

    private void failIfEndedWithin(long millis) throws Exception {
        try {
            JobResult result = ended.get(millis, TimeUnit.MILLISECONDS);
            Throwable cause = result.getSerializedThrowable().isPresent()
                    ? result.getSerializedThrowable().get()
                    : new CellException("The job ended by itself, although its input has no end.", null);
            throw new ExecutionException(cause);
        } catch (TimeoutException e) {
            // It runs, as it should.
            return;
        }
    }

    private boolean sampleIfDue(boolean measured) throws InterruptedException {
        long now = System.nanoTime();
        if (now < nextSampleNanos) {
            return false;
        }
        sample(measured);
        nextSampleNanos = Math.max(nextSampleNanos, now - SAMPLE_MS * MILLI / 2) + SAMPLE_MS * MILLI;
        return true;
    }

    private void sample(boolean measured) throws InterruptedException {
        // While the task is not there, what it had counted stands.
        events = Math.max(events, job.events().orElse(events));
        ProcessSample sample = probe.sample(measured, events, job.backend());
        samples.add(sample);
        progress.eventsPerSecond(sample.events() / sample.length());
        lookAtCheckpoints();
    }

    private void lookAtCheckpoints() throws InterruptedException {
        CheckpointStatsSnapshot stats = flink.checkpoints();
        if (checkpoints.look(stats)) {
            checkpoints.files(probe.checkpointFiles());
        }
    }

    private CellResult result() {
        List<CellResult.Checkpoint> all = List.of();
        try {
            CheckpointStatsSnapshot stats = flink == null || ended == null ? null : flink.checkpoints();
            if (stats != null) {
                all = checkpoints.all(stats, probe::second, measuredFrom, measuredTo, restores);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new CellResult(
                spec,
                null,
                error,
                retained,
                firstEvent,
                lastEvent,
                flink == null ? List.of() : flink.vertices(),
                List.copyOf(samples),
                all,
                probe == null ? List.of() : probe.pauses(),
                restores && firstEventMs >= 0
                        ? new CellResult.RestoreTimes(firstEventMs, FullSpeed.millis(samples, firstEventMs))
                        : null,
                commits,
                probe == null ? -1 : probe.peakResidentBytes(),
                job == null ? List.of() : job.digests());
    }
}
