package io.drey.cli.doctor.job;

import static io.drey.bench.format.Quantity.count;
import static io.drey.bench.format.Quantity.millis;
import static io.drey.bench.format.Quantity.size;

import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.finding.FindingList;
import io.drey.cli.doctor.job.JobFacts.CheckpointFacts;
import io.drey.cli.doctor.job.JobFacts.ProcessFacts;
import io.drey.cli.doctor.job.JobFacts.SubtaskFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Rules that say what limits a job, whatever its state backend is. Each rule is a function of facts, or null. */
public final class JobRules {
    private static final double BUSY = 0.85;
    private static final double PRESSED = 0.3;
    private static final double SKEW = 2;
    private static final double GC_SHARE_MAX = 0.1;
    private static final double CPU_LOAD_MAX = 0.9;
    private static final double INTERVAL_SHARE_MAX = 0.7;
    private static final long CHECKPOINT_MS_MIN = 1_000;
    private static final double FAILED_SHARE_MAX = 0.1;
    private static final long FAILED_MIN = 2;

    private JobRules() {}

    /** All findings about a job, those of its state backend too. */
    public static List<Finding> findings(JobFacts job) {
        List<Finding> findings = new ArrayList<>(FindingList.found(
                notRunning(job),
                slowCheckpoints(job),
                synchronousPart(job),
                alignment(job),
                failedCheckpoints(job),
                noCheckpoints(job),
                processors(job),
                garbage(job),
                restarts(job)));
        findings.addAll(DreyRules.findings(job));
        findings.addAll(
                job.works()
                        ? FindingList.found(
                                skew(job),
                                busy(job),
                                sink(job),
                                source(job),
                                DreyRules.metricsOff(job),
                                MoveRules.move(job))
                        : FindingList.found(tasksNotRunning(job)));
        return findings;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    static Finding notRunning(JobFacts job) {
        return job.state().equals(JobFacts.RUNNING)
                ? null
                : Finding.problem(
                        "not-running",
                        "The job does not run",
                        "its state is " + job.state(),
                        "It has ended, is only being set up, or is started again after a failure.",
                        "Look at its exceptions in Flink's web page.",
                        "Rates and times mean something once it runs.");
    }

    /** A job that Flink calls running may have no slots, or read its state. */
    static Finding tasksNotRunning(JobFacts job) {
        String others = job.tasks().entrySet().stream()
                .filter(each -> !JobFacts.WORK.contains(each.getKey()))
                .map(each -> ", " + each.getValue() + (each.getValue() == 1 ? " is " : " are ") + each.getKey())
                .collect(Collectors.joining());
        return !job.state().equals(JobFacts.RUNNING)
                ? null
                : Finding.problem(
                        "tasks-not-running",
                        "Not all tasks of the job run",
                        others.isEmpty()
                                ? "it was started again during the look"
                                : JobFacts.running(job.tasks()) + " of its " + JobFacts.all(job.tasks())
                                        + " subtasks run or have ended" + others,
                        "SCHEDULED ones wait for a slot, INITIALIZING ones for their state; or the job is being started"
                                + " again after a failure.",
                        "Look whether there are enough task managers and slots, and at the job's exceptions in Flink's"
                                + " web page.",
                        "Once all run, another look says what limits the job.");
    }

    /** The task that is busy while what is before it waits: the last one, seen with the data. */
    static VertexFacts bottleneck(JobFacts job) {
        return job.vertices().stream()
                .filter(vertex -> vertex.busyMax() >= BUSY)
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    static Finding skew(JobFacts job) {
        for (VertexFacts vertex : job.vertices()) {
            int subtasks = vertex.subtasks().size();
            if (vertex.isSource() || subtasks < 2) {
                continue;
            }
            SubtaskFacts most = vertex.subtasks().stream()
                    .max(Comparator.comparingDouble(SubtaskFacts::recordsIn))
                    .orElseThrow();
            double others = (vertex.recordsIn() - most.recordsIn()) / (subtasks - 1);
            if (most.recordsIn() > SKEW * others && most.busy() >= BUSY && vertex.recordsIn() > 0) {
                return Finding.limit(
                        "skew",
                        "One subtask of '" + vertex.name() + "' has most of the work",
                        "subtask " + most.index() + " gets " + count((long) most.recordsIn())
                                + " records/s and is busy "
                                + percent(most.busy()) + " of the time, the others get " + count((long) others)
                                + " on average",
                        "A few keys have most of the records; more subtasks do not help them.",
                        "Find the keys ('drey inspect CHECKPOINT --scan' lists the largest), and aggregate before the"
                                + " exchange, or split the keys by a salt.",
                        "Up to " + String.format(Locale.ROOT, "%.1f", most.recordsIn() * subtasks / vertex.recordsIn())
                                + " times the throughput, if the work becomes even.");
            }
        }
        return null;
    }

    static Finding busy(JobFacts job) {
        VertexFacts vertex = bottleneck(job);
        boolean isElsewhere = vertex == null || isOnlySink(vertex) || skew(job) != null || DreyRules.waits(vertex);
        return isElsewhere
                ? null
                : Finding.limit(
                        "busy",
                        "The job is limited by '" + vertex.name() + "'",
                        "its subtasks are busy " + percent(vertex.busyMax()) + " of the time"
                                + (vertex.isSource()
                                        ? ""
                                        : "; what is before it is back pressured "
                                                + percent(pressedBefore(job, vertex))),
                        "Its code, its serializers, its state or a sink in it take all of a thread's time.",
                        "Raise its parallelism, or profile it (Flink's web page draws flame graphs).",
                        "Throughput grows with its parallelism, as long as there are cores.");
    }

    /** Else Flink may have chained more into the task than its sink. */
    private static boolean isOnlySink(VertexFacts vertex) {
        return vertex.isSink() && !vertex.isSource() && !DreyRules.hasState(vertex);
    }

    private static double pressedBefore(JobFacts job, VertexFacts vertex) {
        return job.vertices().subList(0, job.vertices().indexOf(vertex)).stream()
                .mapToDouble(VertexFacts::backPressuredMax)
                .max()
                .orElse(0);
    }

    static Finding sink(JobFacts job) {
        VertexFacts vertex = bottleneck(job);
        return vertex == null || !isOnlySink(vertex)
                ? null
                : Finding.limit(
                        "sink",
                        "The sink limits the job",
                        "'" + vertex.name() + "' is busy " + percent(vertex.busyMax()) + " of the time, what is before"
                                + " it is back pressured " + percent(pressedBefore(job, vertex)),
                        "The system behind it takes no more, or it writes record by record.",
                        "Raise its parallelism or its batches, or look at the system behind it.",
                        "What is before it has room: " + percent(pressedBefore(job, vertex)) + " of its time.");
    }

    static Finding source(JobFacts job) {
        boolean isElsewhere = job.vertices().stream()
                .anyMatch(vertex -> vertex.busyMax() >= BUSY || vertex.backPressuredMax() >= PRESSED);
        return isElsewhere
                ? null
                : Finding.note(
                        "source",
                        "Nothing in the job limits it: the source gives no more",
                        "no subtask is busy more than "
                                + percent(job.vertices().stream()
                                        .mapToDouble(VertexFacts::busyMax)
                                        .max()
                                        .orElse(0))
                                + " of the time, none is back pressured",
                        "There is no more data, the source is limited, or it has too few partitions.",
                        "Nothing, unless the source falls behind: then look at its partitions and its parallelism.",
                        "The job can do more than it is given.");
    }

    static Finding slowCheckpoints(JobFacts job) {
        CheckpointFacts all = job.checkpoints();
        boolean isSlow = all.intervalMs() > 0
                && all.durationMs() >= CHECKPOINT_MS_MIN
                && all.durationMs() > INTERVAL_SHARE_MAX * all.intervalMs()
                && all.asyncMsMax() * 2 > all.durationMs();
        if (!isSlow) {
            return null;
        }
        double rate = all.writtenBytes() * 1000.0 / Math.max(1, all.asyncMsMax());
        return Finding.limit(
                "checkpoint-storage",
                "Checkpoints take nearly as long as the time between them",
                "the last took " + millis(all.durationMs()) + " of an interval of " + millis(all.intervalMs())
                        + ": its upload " + millis(all.asyncMsMax()) + " for " + size(all.writtenBytes()) + ", "
                        + size(rate) + "/s",
                "The checkpoint storage is slow, or each checkpoint writes much"
                        + (processors(job) == null ? "." : "; or uploads wait for processors, which all are in use."),
                "Look at the storage and the network; lengthen the interval; "
                        + (job.backend().equals("drey")
                                ? "raise state.backend.drey.checkpoint.transfer.thread.num; "
                                : "")
                        + "keep checkpoints incremental.",
                "Checkpoints leave time between them, and a recovery repeats less.");
    }

    static Finding synchronousPart(JobFacts job) {
        CheckpointFacts all = job.checkpoints();
        return all.syncMsMax() < CHECKPOINT_MS_MIN
                ? null
                : Finding.limit(
                        "checkpoint-sync",
                        "Checkpoints stop the job",
                        "the synchronous part of the last one took " + millis(all.syncMsMax()),
                        "User code in snapshotState, or a backend that copies its state in the task's thread.",
                        "Move work out of snapshotState.",
                        "The pause of " + millis(all.syncMsMax()) + " at each checkpoint goes.");
    }

    static Finding alignment(JobFacts job) {
        CheckpointFacts all = job.checkpoints();
        return all.alignmentMsMax() < CHECKPOINT_MS_MIN || all.alignmentMsMax() * 2 < all.durationMs()
                ? null
                : Finding.limit(
                        "checkpoint-alignment",
                        "Checkpoints wait for their barriers",
                        "the last one took " + millis(all.durationMs()) + ", of which barriers were under way "
                                + millis(all.alignmentMsMax()),
                        "Back pressure: barriers stand in line behind records.",
                        "Remove the bottleneck, or set execution.checkpointing.unaligned.enabled.",
                        "Checkpoints that do not depend on the load.");
    }

    static Finding failedCheckpoints(JobFacts job) {
        CheckpointFacts all = job.checkpoints();
        return all.failed() < FAILED_MIN || all.failed() < FAILED_SHARE_MAX * all.ended()
                ? null
                : Finding.problem(
                        "checkpoint-failures",
                        "Checkpoints fail",
                        all.failed() + " of the last " + all.ended() + " failed",
                        "Storage that cannot be written to, a time limit, or an exception in a task.",
                        "Read the cause in the JobManager's log, below 'Decline checkpoint' or 'Failed to trigger or"
                                + " complete checkpoint': Flink's web page does not have it.",
                        "A failure costs at most one interval of work.");
    }

    static Finding noCheckpoints(JobFacts job) {
        return job.checkpoints().intervalMs() > 0 || job.isBatch()
                ? null
                : Finding.problem(
                        "no-checkpoints",
                        "The job takes no checkpoints",
                        "execution.checkpointing.interval is not set",
                        "Flink takes none unless told to.",
                        "Set it, for example to 1 min.",
                        "A failure does not lose all state.");
    }

    static Finding processors(JobFacts job) {
        ProcessFacts worst = worst(job, ProcessFacts::cpuLoad);
        return worst == null || worst.cpuLoad() < CPU_LOAD_MAX
                ? null
                : Finding.limit(
                        "processors",
                        "A task manager uses all of its processors",
                        "task manager " + worst.id() + " uses " + percent(worst.cpuLoad()) + " of them"
                                + " (Status.JVM.CPU.Load)",
                        "Tasks share them with compaction, uploads and garbage collection, which all become slow.",
                        "More processors for each task manager, or more task managers with fewer slots each; more slots"
                                + " on the same processors gain nothing.",
                        "Busy tasks and slow checkpoints may end with it.");
    }

    private static ProcessFacts worst(JobFacts job, ToDoubleFunction<ProcessFacts> measure) {
        return job.processes().stream().max(Comparator.comparingDouble(measure)).orElse(null);
    }

    static Finding garbage(JobFacts job) {
        ProcessFacts worst = worst(job, ProcessFacts::gcShare);
        // How full the heap is at one moment says little: a collector may let it fill up.
        return worst == null || worst.gcShare() < GC_SHARE_MAX
                ? null
                : Finding.limit(
                        "heap",
                        "A task manager's heap is too small",
                        "task manager " + worst.id() + " spends " + percent(worst.gcShare())
                                + " of the time in garbage collection, its heap is used to "
                                + percent(worst.heapShare()),
                        "State on the heap, user objects, or buffers of connectors.",
                        "Raise taskmanager.memory.task.heap.size, or keep the state off the heap: Drey's is in managed"
                                + " memory.",
                        "The time in garbage collection becomes time for records.");
    }

    static Finding restarts(JobFacts job) {
        return job.restarts() == 0
                ? null
                : Finding.problem(
                        "restarts",
                        "The job was restarted",
                        count(job.restarts()) + " times since it was submitted",
                        "A task failed or a task manager was lost.",
                        "Read the first exception in Flink's web page; later ones often follow from it.",
                        "No time lost to recoveries.");
    }
}
