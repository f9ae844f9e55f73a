package io.drey.cli.compare;

import io.drey.bench.figure.ShuffleFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.ShuffleComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Sums up a comparison of shuffle services for the terminal. */
public final class ShuffleSummary {
    private static final String LINE = "%-13s %-10s %8s  %-24s %8s  %-24s %9s %9s %9s";

    private final ShuffleComparison comparison;

    public ShuffleSummary(ShuffleComparison comparison) {
        this.comparison = comparison;
    }

    /** Whether every run succeeded and no result differs. */
    public boolean allWell() {
        return comparison.cells().stream().allMatch(cell -> cell.error() == null)
                && comparison.jobs().stream().allMatch(job -> results(job).size() <= 1);
    }

    private List<String> results(ShuffleComparison.Job job) {
        return ShuffleFigures.results(comparison, job.name());
    }

    /** The lines, without a newline. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String base = "against " + comparison.contenders().get(0);
        lines.add(String.format(
                Locale.ROOT, LINE, "job", "contender", "seconds", base, "CPU s", base, "written", "read", "memory"));
        for (ShuffleFigures each : ShuffleFigures.of(comparison)) {
            lines.add(String.format(
                    Locale.ROOT,
                    LINE,
                    each.job(),
                    each.contender(),
                    text(each.seconds(), Quantity::number),
                    ratio(each.secondsRatio()),
                    text(each.cpuSeconds(), Quantity::number),
                    ratio(each.cpuRatio()),
                    text(each.writtenBytes(), Quantity::size),
                    text(each.readBytes(), Quantity::size),
                    text(each.peakBytes(), Quantity::size)));
        }
        for (ShuffleComparison.Cell cell : comparison.cells()) {
            if (cell.error() != null) {
                lines.add("Failed: " + cell.job() + "/" + cell.contender() + "/" + cell.repetition() + ": "
                        + cell.error());
            }
        }
        for (ShuffleComparison.Job job : comparison.jobs()) {
            List<String> results = results(job);
            if (results.size() > 1) {
                lines.add(job.name() + ": WRONG RESULT: " + String.join("; ", results) + ".");
            } else if (!results.isEmpty()) {
                lines.add(job.name()
                        + (isOfOne(job)
                                ? ": the result was compared with nobody's, as one contender has one."
                                : ": all results agree on " + results.get(0) + "."));
            }
        }
        return lines;
    }

    private boolean isOfOne(ShuffleComparison.Job job) {
        return comparison.cells().stream()
                        .filter(cell -> cell.job().equals(job.name()) && cell.error() == null)
                        .map(ShuffleComparison.Cell::contender)
                        .distinct()
                        .count()
                == 1;
    }

    private static String text(Spread value, DoubleFunction<String> text) {
        return value == null ? "-" : text.apply(value.median());
    }

    private static String ratio(Spread ratio) {
        if (ratio == null) {
            return "";
        }
        String median = Quantity.number(ratio.median()) + " x";
        return ratio.values().size() == 1 ? median : median + CompareSummary.range(ratio);
    }
}
