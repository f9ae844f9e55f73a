package io.drey.bench.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * One cell to run: one workload on one contender, once, in a virtual machine of its own.
 *
 * @param job name of the workload on the command line and in the report: a job with a load, such as {@code
 *     last-seen-fits}
 * @param contender name of the contender
 * @param repetition 0 fills the state and leaves a checkpoint; 1, 2, … restore that checkpoint and measure
 * @param load what the job gets to do
 * @param time how long the parts take
 * @param memory what it may use
 * @param places where its files are
 * @param configuration the contender's options, as Flink's configuration names them
 * @param jars paths of jars beside Drey's class path
 */
public record CellSpec(
        String job,
        String contender,
        int repetition,
        Load load,
        Time time,
        Memory memory,
        Places places,
        Map<String, String> configuration,
        List<String> jars) {

    /**
     * The job that runs, and its input.
     *
     * @param job name of the job that runs, as {@code io.drey.jobs.LoadJob} names it
     * @param seed of everything random
     * @param alive units of state that are alive once the state is filled: entries, rows or objects, as the job says
     * @param keys how keys are drawn: {@code uniform} or {@code zipf}
     * @param rowBytesMin smallest payload of a row in bytes, for jobs that have one
     * @param rowBytesMax largest payload of a row in bytes
     * @param stateless the same pipeline without state, as the ceiling
     */
    public record Load(
            String job, long seed, long alive, String keys, int rowBytesMin, int rowBytesMax, boolean stateless) {}

    /**
     * The length of each part of a cell, in milliseconds.
     *
     * @param fillMsMax after which a fill that is not done fails
     * @param warmUpMs cut off before measuring
     * @param measureMs measured
     * @param checkpointIntervalMs between checkpoints
     */
    public record Time(long fillMsMax, long warmUpMs, long measureMs, long checkpointIntervalMs) {}

    /**
     * Memory that a cell may use, in bytes.
     *
     * @param managedBytes Flink's managed memory
     * @param heapBytes the largest heap
     */
    public record Memory(long managedBytes, long heapBytes) {}

    /**
     * The places of a cell's files, as absolute paths; the checkpoint to start from is a URI if it is not a local one.
     *
     * @param local the state backend's local files
     * @param checkpoints the checkpoint store
     * @param restore the checkpoint or savepoint to start from, or null
     * @param savepoints where a fill leaves a canonical savepoint too, or null if it leaves none
     * @param device the block device that is ours and holds {@code local}, such as {@code loop0}, or null
     */
    public record Places(
            String local,
            String checkpoints,
            String restore,
            @JsonInclude(JsonInclude.Include.NON_NULL) String savepoints,
            String device) {}

    /** Whether this cell fills the state and measures only that. */
    public boolean fills() {
        return repetition == 0;
    }

    /** Whether its state comes from the fill of another contender: nothing of it is measured. */
    public boolean takesOver() {
        return fills() && places.restore() != null;
    }

    /** A name for people and files: {@code last-seen/drey/2}, and {@code fill} for repetition 0. */
    public String id() {
        return job + "/" + contender + "/" + (fills() ? "fill" : repetition);
    }
}
