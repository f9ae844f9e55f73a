package io.drey.cli.doctor.job;

import static io.drey.bench.format.Quantity.count;
import static io.drey.bench.format.Quantity.number;
import static io.drey.bench.format.Quantity.size;

import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.finding.FindingList;
import io.drey.cli.doctor.job.JobFacts.SubtaskFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Rules that say what limits a job whose state is in Drey, from its basic metrics. Each rule is a function of facts, or
 * null.
 */
final class DreyRules {
    private static final double WAIT_SHARE = 0.3;
    private static final double STALL_SHARE_MAX = 0.05;
    private static final double HIT_RATIO_MIN = 0.8;
    private static final double READS_MIN = 100;

    /** A second: fewer are one that takes longer than the look. */
    private static final double READS_LEAST = 0.1;

    private static final double FULLNESS_MAX = 0.9;
    private static final double BACKLOG_MAX = 0.8;
    private static final double MS_PER_SECOND = 1e3;
    private static final double SLOW_READ_MS = 0.2;
    private static final String READS = "foregroundReads";
    private static final String READ_MS = "foregroundReadMillis";

    private DreyRules() {}

    static List<Finding> findings(JobFacts job) {
        List<Finding> findings = new ArrayList<>();
        for (VertexFacts vertex : job.vertices()) {
            if (hasState(vertex)) {
                findings.addAll(FindingList.found(
                        restoring(vertex),
                        disk(vertex),
                        memory(vertex),
                        stalls(vertex),
                        compaction(vertex),
                        full(vertex),
                        unusable(vertex)));
            }
        }
        return findings;
    }

    static boolean hasState(VertexFacts vertex) {
        return vertex.subtasks().stream().anyMatch(subtask -> !subtask.drey().isEmpty());
    }

    /** Whether a task waits for its disk or for memory much of the time, and a finding says so. */
    static boolean waits(VertexFacts vertex) {
        boolean reads = readWait(worst(vertex, DreyRules::readWait)) >= WAIT_SHARE;
        return stalls(vertex) != null
                || (reads && (restoring(vertex) != null || disk(vertex) != null || memory(vertex) != null));
    }

    private static SubtaskFacts worst(VertexFacts vertex, ToDoubleFunction<SubtaskFacts> measure) {
        return vertex.subtasks().stream()
                .max(Comparator.comparingDouble(measure))
                .orElse(new SubtaskFacts(0, 0, 0, 0, 0, Map.of(), Map.of()));
    }

    /** The part of the time in which the task's thread waits for reads. */
    static double readWait(SubtaskFacts subtask) {
        return share(subtask, READ_MS);
    }

    private static double stallShare(SubtaskFacts subtask) {
        return share(subtask, "stallMillis");
    }

    private static double share(SubtaskFacts subtask, String millis) {
        return Math.min(1, subtask.rate(millis) / MS_PER_SECOND);
    }

    private static String gain(double share) {
        return "Without these waits up to " + number(1 / Math.max(0.05, 1 - share))
                + " times the throughput of this task.";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    /** Bytes of restored files that are still in the checkpoint storage: until they are here, reads wait for it. */
    private static double left(SubtaskFacts subtask) {
        return Math.max(0, subtask.drey("restoreBytesLeft"));
    }

    private static boolean isWhole(SubtaskFacts subtask) {
        return !(left(subtask) > 0);
    }

    static Finding restoring(VertexFacts vertex) {
        SubtaskFacts worst = worst(vertex, DreyRules::left);
        return isWhole(worst)
                ? null
                : Finding.note(
                        "drey-restore",
                        "'" + vertex.name() + "' still reads its state from the checkpoint storage",
                        "subtask " + worst.index() + " has " + size(left(worst)) + " left (drey.restoreBytesLeft), its"
                                + " task waits for reads " + percent(readWait(worst)) + " of the time",
                        "A restore with state.backend.drey.restore.lazy: it brings what is asked for first.",
                        "Look again when it is done. The storage's rate limits it, and"
                                + " state.backend.drey.checkpoint.transfer.thread.num.",
                        "Reads from the local disk.");
    }

    static Finding disk(VertexFacts vertex) {
        SubtaskFacts worst = worst(vertex, subtask -> isWhole(subtask) ? readWait(subtask) : 0);
        double millis = worst.rate(READ_MS) / Math.max(READS_LEAST, worst.rate(READS));
        return !isWhole(worst) || readWait(worst) < WAIT_SHARE || millis < SLOW_READ_MS
                ? null
                : Finding.limit(
                        "drey-disk",
                        "The disk limits '" + vertex.name() + "'",
                        "subtask " + worst.index() + " does " + count((long) worst.rate(READS)) + " reads/s at "
                                + number(millis * 1e3) + " us each: " + percent(readWait(worst))
                                + " of its time (drey.foregroundReads, drey.foregroundReadMillis)",
                        "The state in use is larger than memory, and the disk is slow or at its ceiling.",
                        "A faster disk, several directories in state.backend.drey.local-dir on disks of their own, or"
                                + " more managed memory. 'drey doctor --local-dir DIR' measures the ceiling.",
                        gain(readWait(worst)));
    }

    static Finding memory(VertexFacts vertex) {
        SubtaskFacts worst = vertex.subtasks().stream()
                .filter(DreyRules::isWhole)
                // It fits in what is free already, and is about to be there.
                .filter(subtask -> !(subtask.drey("memoryFreeBytes") >= subtask.drey("localBytes")))
                .filter(subtask -> subtask.drey("blockCacheHitRatio") < HIT_RATIO_MIN)
                .filter(subtask -> subtask.drey("localBytes") >= subtask.drey("memoryBytesUsed"))
                .filter(subtask -> subtask.rate(READS) >= READS_MIN)
                .max(Comparator.comparingDouble(subtask -> subtask.rate(READS)))
                .orElse(null);
        return worst == null
                ? null
                : Finding.limit(
                        "drey-memory",
                        "The state of '" + vertex.name() + "' does not fit in its memory",
                        "subtask " + worst.index() + ": of the blocks sought "
                                + percent(worst.drey("blockCacheHitRatio"))
                                + " were in memory, " + count((long) worst.rate(READS)) + " reads/s went to disk; "
                                + size(worst.drey("localBytes")) + " of local files, "
                                + size(worst.drey("memoryBytesUsed")) + " of memory for its log",
                        "The state in use is larger than the slot's managed memory.",
                        "Raise taskmanager.memory.managed.size, use fewer slots, or raise the parallelism.",
                        "Fewer reads from disk; none, if all that is used fits.");
    }

    static Finding stalls(VertexFacts vertex) {
        SubtaskFacts worst = worst(vertex, DreyRules::stallShare);
        return stallShare(worst) <= STALL_SHARE_MAX
                ? null
                : Finding.limit(
                        "drey-stalls",
                        "'" + vertex.name() + "' waits for memory",
                        "subtask " + worst.index() + " stood " + percent(stallShare(worst)) + " of the time ("
                                + number(worst.rate("stalls")) + " stalls/s, drey.stallMillis)",
                        "Writes come faster than they are flushed and compacted: little memory, a slow disk, or few"
                                + " background threads.",
                        "More managed memory, a faster disk, or state.backend.drey.background.threads.",
                        gain(stallShare(worst)));
    }

    static Finding compaction(VertexFacts vertex) {
        for (SubtaskFacts subtask : vertex.subtasks()) {
            if (isWhole(subtask) && subtask.drey("compactionBacklog") >= BACKLOG_MAX) {
                return Finding.limit(
                        "drey-compaction",
                        "Compaction of '" + vertex.name() + "' is behind",
                        "subtask " + subtask.index() + " has " + number(subtask.drey("youngRuns"))
                                + " young runs, and as they come has " + percent(subtask.drey("compactionBacklog"))
                                + " of those at which its task waits for compaction (drey.compactionBacklog)",
                        "Cores or disk do not suffice for what is written, or the disk is full.",
                        "state.backend.drey.background.threads, more cores, a faster disk; make room on the disk.",
                        "Reads that ask fewer files.");
            }
        }
        return null;
    }

    static Finding full(VertexFacts vertex) {
        for (SubtaskFacts subtask : vertex.subtasks()) {
            if (subtask.drey("directoryFullnessMax") > FULLNESS_MAX) {
                return Finding.problem(
                        "drey-disk-full",
                        "A disk of '" + vertex.name() + "' is nearly full",
                        "subtask " + subtask.index() + ": " + percent(subtask.drey("directoryFullnessMax")) + " used, "
                                + size(subtask.drey("directoryUsableBytesMin")) + " left",
                        "State, or other files on the same disk.",
                        "Make room, or add a directory on another disk.",
                        "Compaction does not wait, and the job does not fail for space.");
            }
        }
        return null;
    }

    static Finding unusable(VertexFacts vertex) {
        for (SubtaskFacts subtask : vertex.subtasks()) {
            if (subtask.drey("directoriesUnusable") > 0) {
                return Finding.problem(
                        "drey-directory",
                        "A local directory of '" + vertex.name() + "' was lost",
                        "subtask " + subtask.index() + ": drey.directoriesUnusable is "
                                + number(subtask.drey("directoriesUnusable")),
                        "Its disk failed or is not mounted; the log of the task manager names it.",
                        "Mount or replace it and restart the task manager, or take it out of the option.",
                        "All disks share the work again.");
            }
        }
        return null;
    }

    static Finding metricsOff(JobFacts job) {
        return !job.backend().equals("drey") || job.vertices().stream().anyMatch(DreyRules::hasState)
                ? null
                : Finding.note(
                        "drey-metrics",
                        "Drey tells nothing",
                        "no metric of Drey in any of " + job.vertices().size() + " tasks",
                        "state.backend.drey.metrics is off, or the job has no keyed state.",
                        "Set it to basic.",
                        "Findings about disk, memory and compaction.");
    }
}
