package io.drey.bench.figure;

import java.util.Arrays;
import java.util.Collection;

/** The statistics that figures are made with; {@code docs/reference/comparison.md} says the same in words. */
public final class Statistics {
    /** Student's t for 95 % on both sides, by degrees of freedom from 1 on; the last stands for all beyond. */
    private static final double[] STUDENT_95 = {12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};

    private Statistics() {}

    static double[] sorted(Collection<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    /** The median of one value or more. */
    public static double median(Collection<Double> values) {
        return percentile(sorted(values), 50);
    }

    /**
     * A percentile: of n values in order, the one at place {@code percent / 100 · (n − 1)} counted from 0, and between
     * two places the straight line between their values.
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

    /**
     * Where the mean of as many new values lies in 19 of 20 cases, if the logarithms of all are spread normally: the
     * mean of the logarithms, plus and minus t · s · √(2 / n), with their standard deviation s.
     *
     * @param positive at least two values above zero
     * @return both ends
     */
    static double[] repeatedRange(double[] positive) {
        int n = positive.length;
        double sum = 0;
        for (double value : positive) {
            sum += Math.log(value);
        }
        double mean = sum / n;
        double squares = 0;
        for (double value : positive) {
            squares += (Math.log(value) - mean) * (Math.log(value) - mean);
        }
        double deviation = Math.sqrt(squares / (n - 1));
        double reach = STUDENT_95[Math.min(n - 1, STUDENT_95.length) - 1] * deviation * Math.sqrt(2.0 / n);
        return new double[] {Math.exp(mean - reach), Math.exp(mean + reach)};
    }
}
