package io.drey.bench.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * The raw measurements of one cell. A cell that failed has an error and whatever it measured until then.
 *
 * @param spec what was to run
 * @param command the command that repeats this cell
 * @param error why it failed, in a sentence, or null
 * @param checkpoint path of the last retained checkpoint, or null
 * @param firstEvent position in the input at which the cell began
 * @param lastEvent position in the input at which it ended
 * @param vertices Flink's names of the tasks, for reading thread groups
 * @param samples one a second, oldest first; warm-up included and marked
 * @param checkpoints all that began, oldest first
 * @param pauses of the garbage collector, oldest first
 * @param restore times of the restore, or null if the cell restored nothing
 * @param commits of the job's output in the measured time, or null if it commits none
 * @param peakResidentBytes largest resident size of the process, or -1 where it is not known
 * @param digests of the output, by complete bucket of event time, by start
 */
public record CellResult(
        CellSpec spec,
        String command,
        String error,
        String checkpoint,
        long firstEvent,
        long lastEvent,
        List<String> vertices,
        List<ProcessSample> samples,
        List<Checkpoint> checkpoints,
        List<Pause> pauses,
        RestoreTimes restore,
        @JsonInclude(JsonInclude.Include.NON_NULL) Commits commits,
        long peakResidentBytes,
        List<DigestBucket> digests) {

    /** The same with another command and other samples. */
    public CellResult with(String newCommand, List<ProcessSample> newSamples) {
        return new CellResult(
                spec,
                newCommand,
                error,
                checkpoint,
                firstEvent,
                lastEvent,
                vertices,
                newSamples,
                checkpoints,
                pauses,
                restore,
                commits,
                peakResidentBytes,
                digests);
    }

    /**
     * A checkpoint.
     *
     * @param id Flink's number
     * @param second since the cell's first sample began, when it was triggered
     * @param measured whether it was triggered after the warm-up; the first after a restore never is
     * @param completed whether it completed
     * @param durationMs end to end
     * @param syncMs the longest synchronous part of a subtask
     * @param asyncMs the longest asynchronous part of a subtask
     * @param uploadedBytes what it had to upload
     * @param fullBytes what a restore of it needs
     * @param files number of files in the checkpoint store after it, or -1 if not counted
     * @param failure why Flink failed it; null if it completed, or was still under way at the end of the cell
     */
    public record Checkpoint(
            long id,
            double second,
            boolean measured,
            boolean completed,
            long durationMs,
            long syncMs,
            long asyncMs,
            long uploadedBytes,
            long fullBytes,
            long files,
            @JsonInclude(JsonInclude.Include.NON_NULL) String failure) {}

    /**
     * A pause of the garbage collector.
     *
     * @param second since the cell's first sample began
     * @param millis its length
     * @param collector the collector's name
     */
    public record Pause(double second, double millis, String collector) {}

    /**
     * The duration of a restore.
     *
     * @param firstEventMs from submitting the job to its first event processed
     * @param fullSpeedMs from submitting the job to the first second at 0.9 of the later median rate, or -1 if never
     */
    public record RestoreTimes(double firstEventMs, double fullSpeedMs) {}

    /**
     * The times from events to their committed rows.
     *
     * @param p50Ms median
     * @param p99Ms 99th percentile
     */
    public record Commits(long p50Ms, long p99Ms) {}

    /**
     * The output rows that belong to a stretch of event time.
     *
     * @param start event time of the bucket's begin, in milliseconds
     * @param rows number of rows
     * @param sum of the rows' digests modulo 2^64, in hexadecimal, 16 digits
     */
    public record DigestBucket(long start, long rows, String sum) {}
}
