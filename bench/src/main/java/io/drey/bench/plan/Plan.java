package io.drey.bench.plan;

import io.drey.bench.contender.Contender;
import io.drey.bench.result.Comparison;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The cells of a comparison in the order in which they run: workload by workload, first each contender fills its state,
 * then they measure in turn, A B C A B C, so that what changes on the machine meanwhile meets all of them.
 *
 * @param cells to run
 * @param skipped cells that cannot run, and why
 */
public record Plan(List<PlannedCell> cells, List<Comparison.Skipped> skipped) {
    /**
     * The plan of a comparison.
     *
     * @param noDisk why the disk that it asks for cannot be had, in a sentence: then nothing can run
     */
    public static Plan of(CompareSettings settings, Optional<String> noDisk) {
        List<PlannedCell> cells = new ArrayList<>();
        List<Comparison.Skipped> skipped = new ArrayList<>();
        for (Workload workload : settings.workloads()) {
            List<Contender> able = new ArrayList<>();
            for (Contender contender : settings.contenders()) {
                noDisk.or(() -> settings.whyNot(contender))
                        .ifPresentOrElse(
                                why -> skipped.add(new Comparison.Skipped(workload.name(), contender.name(), why)),
                                () -> able.add(contender));
            }
            add(cells, workload, able, settings.repetitions());
        }
        return new Plan(List.copyOf(cells), List.copyOf(skipped));
    }

    private static void add(List<PlannedCell> cells, Workload workload, List<Contender> contenders, int repetitions) {
        for (Contender contender : contenders) {
            if (contender.keepsState()) {
                cells.add(new PlannedCell(workload, contender, 0));
            }
        }
        List<Contender> order = new ArrayList<>(contenders);
        for (int repetition = 1; repetition <= repetitions; repetition++) {
            for (Contender contender : order) {
                cells.add(new PlannedCell(workload, contender, repetition));
            }
            Collections.reverse(order);
        }
    }
}
