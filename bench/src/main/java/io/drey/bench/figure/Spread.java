package io.drey.bench.figure;

import java.util.List;

/**
 * A figure over repetitions, or the ratio of one.
 *
 * @param median of the values
 * @param min of a figure the smallest value; of a ratio the lower end of {@link #ofRatios}
 * @param max of a figure the largest value; of a ratio the upper end
 * @param values one for each repetition that has the figure, in the order of repetitions; never empty
 */
public record Spread(double median, double min, double max, List<Double> values) {
    /** The spread of one value or more. */
    public static Spread of(List<Double> values) {
        double[] sorted = Statistics.sorted(values);
        return new Spread(Statistics.percentile(sorted, 50), sorted[0], sorted[sorted.length - 1], List.copyOf(values));
    }

    /**
     * The spread of ratios: where 19 of 20 repeated runs of as many repetitions have their ratio, as far as the
     * repetitions of this one tell, and at least from the smallest to the largest. The smallest and largest of three
     * alone would hold no more than 3 of 5 repeated runs.
     */
    static Spread ofRatios(List<Double> values) {
        Spread extremes = of(values);
        if (values.size() < 2 || extremes.min <= 0) {
            return extremes;
        }
        double[] range = Statistics.repeatedRange(Statistics.sorted(values));
        return new Spread(
                extremes.median, Math.min(extremes.min, range[0]), Math.max(extremes.max, range[1]), extremes.values);
    }
}
