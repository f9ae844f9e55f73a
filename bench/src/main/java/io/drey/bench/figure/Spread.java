package io.drey.bench.figure;

import java.util.List;

/**
 * A figure over repetitions.
 *
 * @param median of the values
 * @param min the smallest value
 * @param max the largest value
 * @param values one for each repetition that has the figure, in the order of repetitions; never empty
 */
public record Spread(double median, double min, double max, List<Double> values) {
    /** The spread of one value or more. */
    public static Spread of(List<Double> values) {
        double[] sorted = Statistics.sorted(values);
        return new Spread(Statistics.percentile(sorted, 50), sorted[0], sorted[sorted.length - 1], List.copyOf(values));
    }
}
