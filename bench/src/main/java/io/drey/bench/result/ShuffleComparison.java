package io.drey.bench.result;

import java.util.List;
import java.util.Map;

/**
 * A comparison of shuffle services: what ran where, and what was measured. Components of the same names mean the same
 * as in a {@link Comparison}.
 *
 * @param format {@link #FORMAT}
 * @param status {@code running}, {@code complete} or {@code interrupted}
 * @param disk the limits of the disk that exchanges are on, or null if it is as it is
 * @param contenders their names: the first is what the others are compared with
 */
public record ShuffleComparison(
        int format,
        String startedAt,
        String finishedAt,
        String status,
        String command,
        Comparison.Machine machine,
        Comparison.Disk disk,
        Map<String, String> versions,
        List<String> contenders,
        List<Job> jobs,
        List<Cell> cells) {

    /** The shape that this version writes. */
    public static final int FORMAT = 2;

    /**
     * A job.
     *
     * @param name on the command line
     * @param purpose in a few words
     * @param size how much goes from whom to whom, in a few words
     */
    public record Job(String name, String purpose, String size) {}

    /**
     * A job that ran once.
     *
     * @param job its name
     * @param contender the shuffle service's name
     * @param repetition from 1 on; up to 0 it warms processes up, and is not measured
     * @param error a sentence, or null if it succeeded; then what follows means nothing
     * @param seconds from Flink's creation of the job to its end, or that part of it which the job's purpose says
     * @param cpuSeconds of all processes of the contender; this and the next three are -1 where the system does not tell
     * @param readBytes that these fetched from disks
     * @param writtenBytes that these gave to the system to be written to disks
     * @param peakBytes the largest resident sizes of these processes so far, added up
     * @param rows that arrived
     * @param digest of these, whatever their order
     */
    public record Cell(
            String job,
            String contender,
            int repetition,
            String error,
            double seconds,
            double cpuSeconds,
            long readBytes,
            long writtenBytes,
            long peakBytes,
            long rows,
            String digest) {}
}
