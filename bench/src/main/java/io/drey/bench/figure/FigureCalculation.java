package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Makes the figures of a comparison from its cells.
 *
 * <ol>
 *   <li>Each cell that succeeded gets its figures; one that failed gets a note instead.
 *   <li>A contender's figure is the median over its repetitions, with the smallest and the largest.
 *   <li>A ratio divides within a repetition, since the cells of a repetition ran one after the other and had the same
 *       machine; its median and extremes are over these quotients.
 * </ol>
 */
final class FigureCalculation {
    /** With fewer, a spread says little. */
    private static final int REPETITIONS_MIN = 3;

    private static final List<String> ESTABLISHED = List.of("rocksdb-tuned", "rocksdb", "hashmap");

    private final Comparison comparison;
    private final List<String> baselines;

    /** By job, contender and repetition: figures of the cells that succeeded. */
    private final Map<String, Map<String, Map<Integer, Map<Figure, Double>>>> cells = new LinkedHashMap<>();

    FigureCalculation(Comparison comparison, List<String> baselines) {
        this.comparison = comparison;
        this.baselines = List.copyOf(baselines);
        for (CellResult cell : comparison.cells()) {
            if (cell.error() == null) {
                CellSpec spec = cell.spec();
                cells.computeIfAbsent(spec.job(), job -> new LinkedHashMap<>())
                        .computeIfAbsent(spec.contender(), contender -> new TreeMap<>())
                        .put(spec.repetition(), CellFigures.of(cell, comparison.disk()));
            }
        }
    }

    Figures figures() {
        List<JobFigures> jobs = new ArrayList<>();
        for (Comparison.JobInfo job : comparison.jobs()) {
            List<ContenderFigures> contenders = new ArrayList<>();
            for (Comparison.ContenderInfo contender : comparison.contenders()) {
                contenders.add(contender(job.name(), contender.name()));
            }
            List<CellResult> ofJob = comparison.cells().stream()
                    .filter(cell -> cell.spec().job().equals(job.name()))
                    .toList();
            jobs.add(new JobFigures(job.name(), OutputVote.of(ofJob, byTrust()), contenders));
        }
        return new Figures(Figures.FORMAT, baselines, jobs);
    }

    /** What is established before what is new. */
    private List<String> byTrust() {
        Set<String> names = new LinkedHashSet<>(baselines);
        names.addAll(ESTABLISHED);
        comparison.contenders().forEach(contender -> names.add(contender.name()));
        return List.copyOf(names);
    }

    private Map<Integer, Map<Figure, Double>> cells(String job, String contender) {
        return cells.getOrDefault(job, Map.of()).getOrDefault(contender, Map.of());
    }

    private ContenderFigures contender(String job, String contender) {
        Map<Integer, Map<Figure, Double>> own = cells(job, contender);
        Map<String, Map<String, Spread>> ratios = new LinkedHashMap<>();
        for (String baseline : baselines) {
            ratios.put(baseline, spreads(quotients(own, cells(job, baseline)), Spread::ofRatios));
        }
        List<Integer> repetitions =
                own.keySet().stream().filter(repetition -> repetition > 0).toList();
        return new ContenderFigures(
                contender, repetitions, notes(job, contender, repetitions.size()), spreads(own, Spread::of), ratios);
    }

    private static Map<String, Spread> spreads(
            Map<Integer, Map<Figure, Double>> byRepetition, Function<List<Double>, Spread> spread) {
        Map<Figure, List<Double>> values = new EnumMap<>(Figure.class);
        byRepetition.forEach((repetition, figures) -> figures.forEach((figure, value) ->
                values.computeIfAbsent(figure, f -> new ArrayList<>()).add(value)));
        Map<String, Spread> spreads = new LinkedHashMap<>();
        values.forEach((figure, list) -> spreads.put(figure.json(), spread.apply(list)));
        return spreads;
    }

    private static Map<Integer, Map<Figure, Double>> quotients(
            Map<Integer, Map<Figure, Double>> own, Map<Integer, Map<Figure, Double>> baseline) {
        Map<Integer, Map<Figure, Double>> quotients = new TreeMap<>();
        own.forEach((repetition, figures) -> {
            Map<Figure, Double> base = baseline.getOrDefault(repetition, Map.of());
            Map<Figure, Double> quotient = new EnumMap<>(Figure.class);
            figures.forEach((figure, value) -> {
                double divisor = base.getOrDefault(figure, 0.0);
                if (divisor > 0 && figure.better() != Figure.Better.NEITHER) {
                    quotient.put(figure, value / divisor);
                }
            });
            quotients.put(repetition, quotient);
        });
        return quotients;
    }

    private List<String> notes(String job, String contender, int succeeded) {
        List<String> notes = new ArrayList<>();
        for (Comparison.Skipped skipped : comparison.skipped()) {
            if (skipped.job().equals(job) && skipped.contender().equals(contender)) {
                notes.add("Skipped: " + skipped.why());
            }
        }
        for (CellResult cell : comparison.cells()) {
            CellSpec spec = cell.spec();
            if (!spec.job().equals(job) || !spec.contender().equals(contender)) {
                continue;
            }
            String name = spec.fills() ? "The fill" : "Repetition " + spec.repetition();
            if (cell.error() != null) {
                notes.add(name + " failed: " + cell.error());
            } else if (cell.restore() != null && cell.restore().fullSpeedMs() < 0) {
                notes.add(name + " never reached full speed after the restore.");
            }
            if (cell.error() == null) {
                notes.addAll(LostCheckpoints.notes(name, cell));
            }
            double others = OtherLoad.cores(cell);
            if (OtherLoad.tooMuch(others, comparison.machine())) {
                notes.add(String.format(
                        Locale.ROOT,
                        "%s ran on a loaded machine: others used %.1f of %d cores.",
                        name,
                        others,
                        comparison.machine().cores()));
            }
        }
        if (succeeded < REPETITIONS_MIN && notes.stream().noneMatch(note -> note.startsWith("Skipped"))) {
            notes.add("Measured in " + succeeded + " of at least " + REPETITIONS_MIN + " repetitions.");
        }
        return notes;
    }
}
