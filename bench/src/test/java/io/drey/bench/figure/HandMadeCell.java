package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import io.drey.jobs.generate.EventTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A cell with few, round numbers, so that its figures can be worked out by hand. */
final class HandMadeCell {
    static final String JOB = "job";

    private final String contender;
    private final int repetition;
    private final List<ProcessSample> samples = new ArrayList<>();
    private final List<CellResult.Checkpoint> checkpoints = new ArrayList<>();
    private final List<CellResult.Pause> pauses = new ArrayList<>();
    private final List<CellResult.DigestBucket> digests = new ArrayList<>();
    private CellResult.RestoreTimes restore;
    private CellResult.Commits commits;
    private String error;
    private boolean stateless;
    private Double cpuOfOthers;
    private long firstEvent;

    HandMadeCell(String contender, int repetition) {
        this.contender = contender;
        this.repetition = repetition;
    }

    /**
     * Seconds of these events, with 2 s of task CPU, 1 s of an unknown group, 4 KB read and 10 device reads in each.
     */
    HandMadeCell seconds(boolean measured, long... events) {
        for (long each : events) {
            samples.add(new ProcessSample(
                    samples.size() + 1,
                    1,
                    measured,
                    each,
                    Map.of("task", 2.0, "mystery", 1.0),
                    cpuOfOthers,
                    1_000 + samples.size(),
                    500 + samples.size(),
                    8_000,
                    70 + samples.size(),
                    new ProcessSample.Io(2, 4_096, 3, 8_192),
                    new ProcessSample.Io(10, 10L << 18, 5, 1 << 20),
                    new ProcessSample.Backend(600 + samples.size(), 1_000, 3_000, 5_000)));
        }
        return this;
    }

    /** Seconds of which the system tells nothing but the time. */
    HandMadeCell untoldSeconds(long... events) {
        for (long each : events) {
            samples.add(new ProcessSample(
                    samples.size() + 1,
                    1,
                    true,
                    each,
                    Map.of(),
                    null,
                    -1,
                    500,
                    -1,
                    -1,
                    ProcessSample.Io.UNKNOWN,
                    ProcessSample.Io.UNKNOWN,
                    null));
        }
        return this;
    }

    /** Of the seconds that follow. */
    HandMadeCell besideOthers(double cores) {
        cpuOfOthers = cores;
        return this;
    }

    HandMadeCell checkpoint(boolean measured, boolean completed, long millis) {
        return checkpoint(measured, completed, millis, null);
    }

    /** One that Flink failed. */
    HandMadeCell failedCheckpoint(boolean measured, String why) {
        return checkpoint(measured, false, 10, why);
    }

    private HandMadeCell checkpoint(boolean measured, boolean completed, long millis, String failure) {
        checkpoints.add(new CellResult.Checkpoint(
                checkpoints.size(),
                1,
                measured,
                completed,
                millis,
                millis / 10,
                0,
                2 * millis,
                100 * millis,
                7,
                failure));
        return this;
    }

    HandMadeCell pause(double second, double millis) {
        pauses.add(new CellResult.Pause(second, millis, "G1"));
        return this;
    }

    HandMadeCell restore(double first, double full) {
        restore = new CellResult.RestoreTimes(first, full);
        return this;
    }

    HandMadeCell commits(long p50Ms, long p99Ms) {
        commits = new CellResult.Commits(p50Ms, p99Ms);
        return this;
    }

    /** A bucket that begins at the event at a position. */
    HandMadeCell digest(long position, long rows, String sum) {
        digests.add(new CellResult.DigestBucket(EventTime.of(position), rows, sum));
        return this;
    }

    /** What is before this position was restored. */
    HandMadeCell from(long position) {
        firstEvent = position;
        return this;
    }

    HandMadeCell error(String why) {
        error = why;
        return this;
    }

    HandMadeCell stateless() {
        stateless = true;
        return this;
    }

    CellResult build() {
        CellSpec spec = new CellSpec(
                JOB,
                contender,
                repetition,
                new CellSpec.Load(JOB, 1, 10, "uniform", 0, 0, stateless),
                new CellSpec.Time(1, 1, 1, 1),
                new CellSpec.Memory(1, 1),
                new CellSpec.Places("/l", "/c", null, null, null),
                Map.of(),
                List.of());
        return new CellResult(
                spec,
                "run it",
                error,
                null,
                firstEvent,
                firstEvent,
                List.of(),
                samples,
                checkpoints,
                pauses,
                restore,
                commits,
                -1,
                digests);
    }

    /** A comparison of these cells, contenders in the order of their first. */
    static Comparison comparison(Comparison.Disk disk, HandMadeCell... cells) {
        Set<String> contenders = new LinkedHashSet<>();
        List<CellResult> results = new ArrayList<>();
        for (HandMadeCell cell : cells) {
            contenders.add(cell.contender);
            results.add(cell.build());
        }
        return new Comparison(
                Comparison.FORMAT,
                "2026-01-01T00:00:00Z",
                null,
                "running",
                "drey compare",
                new Comparison.Machine("p", 1, 1, "s", "d"),
                Map.of(),
                contenders.stream()
                        .map(name -> new Comparison.ContenderInfo(name, name, Map.of()))
                        .toList(),
                List.of(new Comparison.JobInfo(
                        JOB, "p", "u", new CellSpec.Load(JOB, 1, 10, "uniform", 0, 0, false), null)),
                disk,
                results,
                List.of());
    }
}
