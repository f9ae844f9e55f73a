package io.drey.bench.cell;

import io.drey.bench.result.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds out, afterwards, when a restored job had reached its speed. */
final class FullSpeed {
    /** Of the median of what was measured. */
    private static final double PART = 0.9;

    private static final double MILLIS = 1000;

    private FullSpeed() {}

    /**
     * Milliseconds from the begin of the first sample to the begin of the first one at full speed; -1 if none is, or if
     * nothing was measured. Never before the first event.
     */
    static double millis(List<Sample> samples, double firstEventMs) {
        double median = medianRate(samples);
        if (Double.isNaN(median)) {
            return -1;
        }
        for (Sample sample : samples) {
            if (rate(sample) >= PART * median) {
                return Math.max(firstEventMs, (sample.second() - sample.length()) * MILLIS);
            }
        }
        return -1;
    }

    private static double medianRate(List<Sample> samples) {
        List<Double> rates = new ArrayList<>();
        for (Sample sample : samples) {
            if (sample.measured()) {
                rates.add(rate(sample));
            }
        }
        Collections.sort(rates);
        return rates.isEmpty() ? Double.NaN : rates.get(rates.size() / 2);
    }

    private static double rate(Sample sample) {
        return sample.events() / sample.length();
    }
}
