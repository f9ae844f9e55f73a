package io.drey.cli.doctor.job;

import static io.drey.bench.format.Quantity.size;

import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;

/** A rule that says whether a job on another state backend would gain by moving to Drey. */
final class MoveRules {
    private static final double BUSY = 0.7;

    /** Space on disk while compaction writes, as a factor of the state; see the sizes in the guide. */
    private static final double DISK_FACTOR = 2;

    private static final String STEPS = "Stop it with 'flink stop --type canonical', set state.backend.type to"
            + " io.drey.flink.state.DreyStateBackendFactory, start it with 'flink run -s SAVEPOINT'. The way back is"
            + " the same with the old state.backend.type. Operators with asynchronous state (enableAsyncState(), the"
            + " DataStream API V2, or table.exec.async-state.enabled) have no canonical savepoint: Flink refuses it and"
            + " restarts the job.";

    /** A defect of Flink 2.3: after a restore with NO_CLAIM, the default, all checkpoints fail. */
    private static final String CHANGELOG = " Flink's changelog is on in this job: set state.changelog.enabled to"
            + " false, or start it with 'flink run -claimMode CLAIM -s SAVEPOINT', and so on the way back (the savepoint"
            + " is then the job's, which deletes it). Else no checkpoint completes.";

    private MoveRules() {}

    static Finding move(JobFacts job) {
        long state = job.checkpoints().stateBytes();
        if (job.backend().isEmpty() || job.backend().equals("drey") || state < 0) {
            return null;
        }
        double busy = job.vertices().stream()
                .filter(vertex -> !vertex.isSource())
                .mapToDouble(VertexFacts::busyMax)
                .max()
                .orElse(0);
        String steps = STEPS + (job.checkpoints().changelog() ? CHANGELOG : "");
        boolean isHeap = job.backend().equals("hashmap");
        String evidence = "state backend " + job.backend() + ", a checkpoint of " + size(state) + ", the busiest task "
                + Math.round(100 * busy) + " % busy";
        if (isHeap) {
            return Finding.note(
                    "move",
                    "Moving to Drey frees the heap, and is slower while all state fits on it",
                    evidence,
                    "State on the heap is read without serializing; its size is bounded by the heap, and checkpoints"
                            + " write all of it.",
                    "Move if the heap or the checkpoints hurt. " + steps,
                    "Managed memory of " + size(state * 1.3) + " keeps all state in memory; disk "
                            + size(state * DISK_FACTOR) + "; incremental checkpoints.");
        }
        String gain = busy >= BUSY
                ? "Worth a try: state is on the way of a busy task."
                : "No task is busy, so no backend makes this job faster; it may need fewer cores.";
        return Finding.note(
                "move",
                "Should it move to Drey? " + gain,
                evidence,
                "Drey takes the same managed memory as RocksDB and keeps hot values as objects.",
                steps,
                "The same managed memory, disk of " + size(state * DISK_FACTOR)
                        + " at most, and 'drey compare --quick' shows" + " on this machine how the two compare.");
    }
}
