package io.drey.bench.figure;

import java.util.Arrays;
import java.util.Collection;

/** The statistics that figures are made with; {@code docs/reference/comparison.md} says the same in words. */
final class Statistics {
    private Statistics() {}

    static double[] sorted(Collection<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    /**
     * A percentile: of n values in order, the one at place {@code percent / 100 · (n − 1)} counted from 0, and between two
     * places the straight line between their values.
     *
     * @param sorted in order, at least one
     */
    static double percentile(double[] sorted, double percent) {
        if (sorted.length == 0) {
            throw new IllegalArgumentException("expected at least one value for a percentile, found none");
        }
        double place = percent / 100 * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
