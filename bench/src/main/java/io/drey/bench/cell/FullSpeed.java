package io.drey.bench.cell;

import io.drey.bench.figure.Statistics;
import io.drey.bench.result.ProcessSample;
import java.util.ArrayList;
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
    static double millis(List<ProcessSample> samples, double firstEventMs) {
        double median = medianRate(samples);
        if (Double.isNaN(median)) {
            return -1;
        }
        for (ProcessSample sample : samples) {
            if (rate(sample) >= PART * median) {
                return Math.max(firstEventMs, (sample.second() - sample.length()) * MILLIS);
            }
        }
        return -1;
    }

    private static double medianRate(List<ProcessSample> samples) {
        List<Double> rates = new ArrayList<>();
        for (ProcessSample sample : samples) {
            if (sample.measured()) {
                rates.add(rate(sample));
            }
        }
        return rates.isEmpty() ? Double.NaN : Statistics.median(rates);
    }

    private static double rate(ProcessSample sample) {
        return sample.events() / sample.length();
    }
}
