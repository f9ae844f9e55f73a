package io.drey.bench.report;

import io.drey.bench.figure.Figures;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.Comparison;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Titles, colors and cells, which every section of a report looks up. */
final class ReportContext {
    private final Comparison comparison;
    private final Figures figures;
    private final Palette palette;
    private final Map<String, String> titles = new HashMap<>();

    ReportContext(Comparison comparison, Figures figures) {
        this.comparison = comparison;
        this.figures = figures;
        comparison.contenders().forEach(contender -> titles.put(contender.name(), contender.title()));
        palette = new Palette(comparison.contenders().stream()
                .map(Comparison.ContenderInfo::name)
                .toList());
    }

    Comparison comparison() {
        return comparison;
    }

    Figures figures() {
        return figures;
    }

    /** A contender's name for people. */
    String title(String contender) {
        return titles.getOrDefault(contender, contender);
    }

    /** A contender's CSS class. */
    String style(String contender) {
        return palette.style(contender);
    }

    /** Processor, cores and memory in a few words. */
    String machine() {
        Comparison.Machine machine = comparison.machine();
        return machine.processor() + ", " + Quantity.counted(machine.cores(), "core", "cores") + ", " + memory();
    }

    String memory() {
        long bytes = comparison.machine().memoryBytes();
        return bytes < 0 ? "unknown memory" : Quantity.size(bytes);
    }

    /** The day on which it began. */
    String day() {
        return comparison
                .startedAt()
                .substring(0, Math.min(10, comparison.startedAt().length()));
    }

    /** The baseline of the headline, or null. */
    String baseline() {
        return figures.baselines().isEmpty() ? null : figures.baselines().get(0);
    }

    List<CellResult> failed() {
        return comparison.cells().stream().filter(cell -> cell.error() != null).toList();
    }

    /** Why there is nothing to show, in a word. */
    String absence(String job, String contender) {
        boolean skipped = comparison.skipped().stream()
                .anyMatch(skip -> skip.job().equals(job) && skip.contender().equals(contender));
        boolean failed = failed().stream()
                .anyMatch(cell ->
                        cell.spec().job().equals(job) && cell.spec().contender().equals(contender));
        boolean none = figures.job(job).contender(contender).repetitions().isEmpty();
        return skipped ? "skipped" : failed && none ? "failed" : "–";
    }
}
