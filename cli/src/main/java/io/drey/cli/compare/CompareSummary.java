package io.drey.cli.compare;

import io.drey.bench.figure.Agreement;
import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.Figures;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.figure.Verdict;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Sums up a comparison for the terminal: throughput and its ratio, agreement of outputs, failures. */
public final class CompareSummary {
    private static final String LINE = "%-16s %-20s %10s %7s %12s  %s";

    private final Comparison comparison;
    private final Figures figures;

    public CompareSummary(Comparison comparison, Figures figures) {
        this.comparison = comparison;
        this.figures = figures;
    }

    /** Whether something was measured of every job, no cell failed, and all outputs agree. */
    public boolean allWell() {
        return Verdict.problem(comparison, figures).isEmpty();
    }

    private static boolean isMeasuredOnce(JobFigures job) {
        return job.contenders().stream()
                .anyMatch(contender -> contender.repetitions().size() == 1);
    }

    /** The lines, without a newline. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String baseline =
                figures.baselines().isEmpty() ? null : figures.baselines().get(0);
        lines.add(String.format(
                Locale.ROOT,
                LINE,
                "job",
                "contender",
                "events/s",
                "p10/med",
                "CPU/event",
                baseline == null ? "" : "against " + baseline));
        for (JobFigures job : figures.jobs()) {
            for (ContenderFigures contender : job.contenders()) {
                if (contender.figure(Figure.EVENTS_MEDIAN) != null) {
                    lines.add(line(job.job(), contender, baseline));
                }
            }
        }
        for (CellResult cell : comparison.cells()) {
            if (cell.error() != null) {
                lines.add("Failed: " + cell.spec().id() + ": " + cell.error());
            }
        }
        figures.jobs().forEach(job -> lines.add(outputs(job)));
        if (figures.jobs().stream().anyMatch(CompareSummary::isMeasuredOnce)) {
            lines.add("Measured once: how far another run would be off is not known, see --repetitions.");
        }
        lines.addAll(Verdict.warnings(comparison));
        return lines;
    }

    private static String line(String job, ContenderFigures contender, String baseline) {
        Spread ratio = baseline == null ? null : contender.ratio(baseline, Figure.EVENTS_MEDIAN);
        Spread steadiness = contender.figure(Figure.STEADINESS);
        Spread cpu = contender.figure(Figure.CPU_TOTAL);
        return String.format(
                Locale.ROOT,
                LINE,
                job,
                contender.contender(),
                Quantity.shortCount(contender.figure(Figure.EVENTS_MEDIAN).median()),
                steadiness == null ? "-" : Quantity.number(steadiness.median()),
                cpu == null ? "-" : Quantity.number(cpu.median()) + " us",
                ratio == null ? "" : against(contender, baseline, ratio));
    }

    /** From the least to the most, behind the median. */
    static String range(Spread ratio) {
        return " (" + Quantity.number(ratio.min()) + " to " + Quantity.number(ratio.max()) + ")";
    }

    /** A range only where repetitions tell of one, and none of the baseline to itself. */
    private static String against(ContenderFigures contender, String baseline, Spread ratio) {
        String median = Quantity.number(ratio.median()) + " x";
        if (contender.contender().equals(baseline)) {
            return median;
        }
        return ratio.values().size() == 1 ? median + " (1 repetition)" : median + range(ratio);
    }

    private String outputs(JobFigures job) {
        Agreement agreement = job.agreement();
        return switch (agreement.status()) {
            case AGREED -> job.job() + ": all outputs agree on " + Quantity.count(agreement.commonRows()) + " rows.";
            case NOT_COMPARABLE -> job.job() + notCompared(Verdict.withState(comparison, job.job()));
            case DIFFERENT ->
                job.job() + ": WRONG OUTPUT of "
                        + String.join(
                                ", ",
                                agreement.dissents().stream()
                                        .map(Agreement.Dissent::contender)
                                        .toList()) + "; the report says where.";
        };
    }

    private static String notCompared(long contenders) {
        if (contenders == 0) {
            return ": NOTHING WAS MEASURED of a contender with state.";
        }
        return contenders == 1
                ? ": the output was compared with nobody's, as one contender with state was measured."
                : ": OUTPUTS AFTER THE RESTORE CANNOT BE COMPARED: not every contender finished a stretch of the input that"
                        + " another finished too; try a longer --measure.";
    }
}
