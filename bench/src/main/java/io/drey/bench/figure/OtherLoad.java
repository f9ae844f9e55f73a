package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import java.util.Locale;

/** The part of the machine that other processes took while a cell was measured: it is missing in the cell's figures. */
final class OtherLoad {
    /** More than this share of the cores: the machine was loaded. The kernel's own work for a cell is less. */
    private static final double SHARE_MAX = 0.15;

    private OtherLoad() {}

    /** Cores that others used on average while this was measured; 0 if nobody told. */
    static double cores(CellResult cell) {
        double seconds = 0;
        double busy = 0;
        for (ProcessSample sample : cell.samples()) {
            boolean counts = sample.measured() || cell.spec().fills();
            if (counts && sample.cpuOfOthers() != null) {
                seconds += sample.length();
                busy += sample.cpuOfOthers();
            }
        }
        return seconds == 0 ? 0 : busy / seconds;
    }

    /** Whether others used so many cores that the figures of a cell are not those of this machine. */
    static boolean tooMuch(double cores, Comparison.Machine machine) {
        return cores > SHARE_MAX * machine.cores();
    }

    /** The sentence on all cells of a comparison that ran on a loaded machine, or null if none did. */
    static String sentence(Comparison comparison) {
        int loaded = 0;
        int measured = 0;
        double most = 0;
        for (CellResult cell : comparison.cells()) {
            if (cell.error() == null && !cell.spec().fills()) {
                double cores = cores(cell);
                measured++;
                loaded += tooMuch(cores, comparison.machine()) ? 1 : 0;
                most = Math.max(most, cores);
            }
        }
        return loaded == 0
                ? null
                : String.format(
                        Locale.ROOT,
                        "The machine was loaded: in %d of %d cells other processes used up to %.1f of its %d cores; figures"
                                + " and ratios may be far off, repeat it on an idle machine.",
                        loaded,
                        measured,
                        most,
                        comparison.machine().cores());
    }
}
