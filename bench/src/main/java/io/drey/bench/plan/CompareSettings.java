package io.drey.bench.plan;

import io.drey.bench.contender.Contender;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The comparison that a user asked for.
 *
 * @param workloads in the order in which they run
 * @param contenders in the order in which they take turns
 * @param repetitions measured cells of each workload on each contender, at least 1
 * @param fillOnce whether the first contender fills the state of a workload for all
 * @param seed of everything random
 * @param time how long the parts of a cell take
 * @param memory what a cell may use
 * @param disk the limits of the state's disk, or null for the disk as it is
 * @param work directory for everything that the cells write, and for nothing else: what was in it goes
 * @param command the command that repeats this comparison
 */
public record CompareSettings(
        List<Workload> workloads,
        List<Contender> contenders,
        int repetitions,
        boolean fillOnce,
        long seed,
        CellSpec.Time time,
        Memory memory,
        Comparison.Disk disk,
        Path work,
        String command) {

    /**
     * Memory that a cell may use, in bytes.
     *
     * @param managedBytes Flink's managed memory, the same for all
     * @param heapBytes largest heap of contenders that keep their state elsewhere
     * @param heapStateBytes largest heap of contenders that keep their state on it
     */
    public record Memory(long managedBytes, long heapBytes, long heapStateBytes) {
        CellSpec.Memory of(Contender contender) {
            return new CellSpec.Memory(managedBytes, contender.heapState() ? heapStateBytes : heapBytes);
        }
    }

    /** Why a contender cannot run with these settings, in a sentence. */
    Optional<String> whyNot(Contender contender) {
        return disk == null ? Optional.empty() : contender.whyNotOnRationedDisk();
    }

    /** What a workload gets to do. */
    public CellSpec.Load load(Workload workload) {
        return load(workload, false);
    }

    private CellSpec.Load load(Workload workload, boolean stateless) {
        return workload.load(seed, memory.managedBytes(), stateless);
    }

    /** The cell as it is told to its process. */
    public CellSpec spec(PlannedCell cell, CellSpec.Places places) {
        Contender contender = cell.contender();
        return new CellSpec(
                cell.workload().name(),
                contender.name(),
                cell.repetition(),
                load(cell.workload(), !contender.keepsState()),
                time,
                memory.of(contender),
                places,
                disk == null ? contender.options() : contender.optionsOnRationedDisk(),
                contender.jars());
    }
}
