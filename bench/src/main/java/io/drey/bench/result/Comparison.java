package io.drey.bench.result;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One run of {@code drey compare}, as it is kept in {@code comparison.json}.
 *
 * @param format version of this shape
 * @param startedAt ISO 8601, UTC
 * @param finishedAt ISO 8601, UTC, or null while it runs
 * @param status {@code running}, {@code complete} or {@code interrupted}
 * @param command the command that repeats all of it
 * @param machine what it ran on
 * @param versions by name: drey, flink, java, …
 * @param contenders in the order of the report
 * @param jobs in the order of the report
 * @param disk the rationed disk, or null
 * @param cells every cell that ran, in the order in which they ran
 * @param skipped cells that cannot run here, and why
 */
public record Comparison(
        int format,
        String startedAt,
        String finishedAt,
        String status,
        String command,
        Machine machine,
        Map<String, String> versions,
        List<ContenderInfo> contenders,
        List<JobInfo> jobs,
        Disk disk,
        List<CellResult> cells,
        List<Skipped> skipped) {

    /** The shape that this version writes. */
    public static final int FORMAT = 1;

    /**
     * What an earlier comparison found.
     *
     * @throws IOException if the file cannot be read, or is no comparison of this format; the message says why
     */
    public static Comparison read(Path file) throws IOException {
        Comparison comparison = ResultJson.read(file, Comparison.class);
        if (comparison.format() != FORMAT) {
            throw new IOException(file + " has format " + comparison.format() + ", expected " + FORMAT
                    + ": read it with the version of Drey that wrote it");
        }
        return comparison;
    }

    /** The same with other cells. */
    public Comparison with(List<CellResult> newCells) {
        return new Comparison(
                format,
                startedAt,
                finishedAt,
                status,
                command,
                machine,
                versions,
                contenders,
                jobs,
                disk,
                newCells,
                skipped);
    }

    /**
     * The machine.
     *
     * @param processor its model
     * @param cores that the process may use
     * @param memoryBytes installed
     * @param system kernel and version
     * @param disk kind and size of the disk below the work directory
     */
    public record Machine(String processor, int cores, long memoryBytes, String system, String disk) {}

    /**
     * A contender.
     *
     * @param name on the command line
     * @param title for people
     * @param configuration its options in Flink's configuration
     */
    public record ContenderInfo(String name, String title, Map<String, String> configuration) {}

    /**
     * A workload: a job and what it got to do.
     *
     * @param name on the command line
     * @param purpose in a few words
     * @param unit of what is alive: entries, rows, objects
     * @param load what it got to do
     * @param scale how large its state is, or null in older files
     */
    public record JobInfo(String name, String purpose, String unit, CellSpec.Load load, Scale scale) {}

    /**
     * The size of a workload's state.
     *
     * @param family of workloads that differ in this only
     * @param timesMemory about the state, serialized, as a multiple of the managed memory
     */
    public record Scale(String family, double timesMemory) {}

    /**
     * A disk limited as a cloud volume.
     *
     * @param iops lasting I/Os a second, of at most 256 KB each
     * @param bandwidth lasting bytes a second, or 0 for no limit
     * @param burstIops I/Os a second while there is credit
     * @param burstCredits I/Os that may be done beyond {@code iops} before the limit holds
     */
    public record Disk(long iops, long bandwidth, long burstIops, long burstCredits) {}

    /**
     * A cell that cannot run.
     *
     * @param job its job
     * @param contender its contender
     * @param why in a sentence
     */
    public record Skipped(String job, String contender, String why) {}
}
