package io.drey.store;

import io.drey.store.compaction.CompactionChoice;
import io.drey.store.filter.FilterLayout;
import io.drey.store.memory.MemoryPlan;
import io.drey.store.read.VersionReader;
import io.drey.store.run.Run;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.tuning.DiskSpeed;
import io.drey.store.tuning.FilterBits;
import io.drey.store.tuning.RunShape;
import io.drey.store.version.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Options of the runs that compactions write, by what the version and the memory are then. The owner's. */
final class RunShapes {
    private final RunOptions options;
    private final MemoryPlan plan;
    private final DiskSpeed disk;
    private RunShape last = RunShape.FIRST;

    RunShapes(RunOptions options, MemoryPlan plan, DiskSpeed disk) {
        this.options = options;
        this.plan = plan;
        this.disk = disk;
    }

    /** What was decided last. */
    RunShape last() {
        return last;
    }

    /** The options with which the log is flushed now. */
    RunOptions flushed() {
        return options.with(options.blockBytes() << RunShape.doublingsMin(options.blockBytes(), disk), true);
    }

    /** Decides with which options the last level is written now. */
    RunOptions lastLevel(Version version) {
        decide(version);
        return options.with(last.blockBytes(options.blockBytes()), last.filter().isWritten());
    }

    private void decide(Version version) {
        long entries = 0;
        double indexBytes = 0;
        for (Run run : VersionReader.runsOf(version)) {
            entries += run.info().entries();
            double blocks = (double) run.info().rawBytes() / options.blockBytes();
            indexBytes += blocks * run.index().bytes() / Math.max(1, run.index().blocks());
        }
        last = RunShape.decide(
                new RunShape.Measured(
                        entries, indexBytes, plan.shareBytes(), options.blockBytes(), isFilterWanted(version)),
                last,
                disk);
    }

    /**
     * Whether keys of any table are sought that no run has. A run is asked for what those before it did not have, and
     * knows how often it did not have that either, so these parts multiply. True before anything was sought.
     */
    private static boolean isFilterWanted(Version version) {
        Map<Integer, Double> absent = new HashMap<>();
        version.young().forEach(view -> multiply(absent, List.of(view)));
        version.levels().forEach(level -> multiply(absent, level));
        return absent.isEmpty() || absent.values().stream().anyMatch(share -> share >= RunShape.ABSENT_MIN);
    }

    /** Of runs that share the keys among them the mean counts. */
    private static void multiply(Map<Integer, Double> absent, List<RunView> runs) {
        runs.stream()
                .flatMap(view -> view.run().absentShares().entrySet().stream())
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.averagingDouble(Map.Entry::getValue)))
                .forEach((table, share) -> absent.merge(table, share, (before, here) -> before * here));
    }

    /**
     * The options with which young runs are compacted now.
     *
     * @param dueBytes of young runs at which a major compaction is due
     */
    RunOptions young(Version version, CompactionChoice choice, long dueBytes) {
        decide(version);
        long entries = choice.young().stream()
                .mapToLong(view -> view.run().info().entries())
                .sum();
        long young = 0;
        long youngBytes = 0;
        for (Run run : VersionReader.runsOf(new Version(version.young(), List.of()))) {
            young += run.info().entries();
            youngBytes += run.info().bytes();
        }
        long indexBytes = VersionReader.runsOf(version).stream()
                .mapToLong(run -> run.index().bytes())
                .sum();
        FilterBits bits = FilterBits.of(
                entries,
                new FilterBits.Measured(
                        FilterBits.entriesAtMost(young, youngBytes, dueBytes),
                        FilterBits.roomBytes(plan.pagesBytes(), indexBytes, plan.shareBytes()),
                        FilterLayout.BITS_TENTHS_MAX,
                        FilterLayout.BITS_TENTHS_MIN));
        return options.with(last.blockBytes(options.blockBytes()), true).withFilterOf(bits.tenths());
    }
}
