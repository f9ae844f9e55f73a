package io.drey.bench.figure;

import io.drey.bench.result.ShuffleComparison;
import io.drey.bench.result.ShuffleComparison.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a job on a shuffle service, over its measured runs. A ratio divides by the first contender's run of
 * the same repetition, which ran just before or after.
 *
 * @param job its name
 * @param contender the shuffle service's name
 * @param seconds the job took
 * @param cpuSeconds of all processes; this and the next three are null if the system does not tell
 * @param readBytes from disks
 * @param writtenBytes to disks
 * @param peakBytes the largest resident sizes, added up
 * @param secondsRatio against the first contender; null of itself, and where either has no run
 * @param cpuRatio the same of processor time
 */
public record ShuffleFigures(
        String job,
        String contender,
        Spread seconds,
        Spread cpuSeconds,
        Spread readBytes,
        Spread writtenBytes,
        Spread peakBytes,
        Spread secondsRatio,
        Spread cpuRatio) {

    /** Of all jobs and contenders that have a measured run that succeeded, in the order of both. */
    public static List<ShuffleFigures> of(ShuffleComparison comparison) {
        List<ShuffleFigures> figures = new ArrayList<>();
        String first = comparison.contenders().get(0);
        for (ShuffleComparison.Job job : comparison.jobs()) {
            List<Cell> base = measured(comparison, job.name(), first);
            for (String contender : comparison.contenders()) {
                List<Cell> cells = measured(comparison, job.name(), contender);
                if (cells.isEmpty()) {
                    continue;
                }
                boolean isBase = contender.equals(first);
                figures.add(new ShuffleFigures(
                        job.name(),
                        contender,
                        spread(cells, Cell::seconds),
                        spread(cells, Cell::cpuSeconds),
                        spread(cells, Cell::readBytes),
                        spread(cells, Cell::writtenBytes),
                        spread(cells, Cell::peakBytes),
                        isBase ? null : ratio(cells, base, Cell::seconds),
                        isBase ? null : ratio(cells, base, Cell::cpuSeconds)));
            }
        }
        return figures;
    }

    /** The different results of a job, rows and digest; all contenders agree if it is one. */
    public static List<String> results(ShuffleComparison comparison, String job) {
        return comparison.cells().stream()
                .filter(cell -> cell.job().equals(job) && cell.error() == null)
                .map(cell -> cell.rows() + " rows with digest " + cell.digest())
                .distinct()
                .toList();
    }

    private static List<Cell> measured(ShuffleComparison comparison, String job, String contender) {
        return comparison.cells().stream()
                .filter(cell -> cell.job().equals(job) && cell.contender().equals(contender))
                .filter(cell -> cell.error() == null && cell.repetition() > 0)
                .toList();
    }

    private static Spread spread(List<Cell> cells, ToDoubleFunction<Cell> value) {
        List<Double> known = new ArrayList<>();
        for (Cell cell : cells) {
            if (value.applyAsDouble(cell) >= 0) {
                known.add(value.applyAsDouble(cell));
            }
        }
        return known.isEmpty() ? null : Spread.of(known);
    }

    private static Spread ratio(List<Cell> cells, List<Cell> base, ToDoubleFunction<Cell> value) {
        List<Double> ratios = new ArrayList<>();
        for (Cell cell : cells) {
            for (Cell other : base) {
                if (other.repetition() == cell.repetition() && value.applyAsDouble(other) > 0) {
                    ratios.add(value.applyAsDouble(cell) / value.applyAsDouble(other));
                }
            }
        }
        return ratios.isEmpty() ? null : Spread.ofRatios(ratios);
    }
}
