package io.drey.flink.state.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.flink.metrics.HistogramStatistics;
import org.junit.jupiter.api.Test;

class SampledHistogramTest {
    @Test
    void bucketsFollowEachOtherWithoutGaps() {
        for (int bucket = 0; bucket < SampledHistogram.BUCKETS; bucket++) {
            long floor = SampledHistogram.floor(bucket);
            assertThat(SampledHistogram.bucket(floor)).isEqualTo(bucket);
            assertThat(SampledHistogram.bucket(SampledHistogram.floor(bucket + 1) - 1))
                    .isEqualTo(bucket);
        }
        assertThat(SampledHistogram.bucket(-5)).isZero();
        assertThat(SampledHistogram.bucket(Long.MAX_VALUE)).isEqualTo(SampledHistogram.BUCKETS - 1);
    }

    @Test
    void quantilesAreAtMostAnEighthOff() {
        SampledHistogram histogram = new SampledHistogram();
        int values = 2000;
        for (int i = 1; i <= values; i++) {
            histogram.update(i * 1000L);
        }
        HistogramStatistics statistics = histogram.getStatistics();
        for (double quantile : new double[] {0.1, 0.5, 0.9, 0.99}) {
            double exact = quantile * values * 1000;
            assertThat(statistics.getQuantile(quantile)).isCloseTo(exact, within(exact / 8));
        }
        assertThat(statistics.getMean()).isCloseTo(1_000_500, within(1_000_500 / 8.0));
        assertThat(statistics.getStdDev()).isCloseTo(577_000, within(577_000 / 8.0));
        assertThat(statistics.getMin()).isBetween(875L, 1000L);
        assertThat(statistics.getMax()).isBetween(2_000_000L, 2_250_000L);
        assertThat(statistics.size()).isEqualTo(values);
        assertThat(statistics.getValues()).hasSize(values).isSorted();
    }

    @Test
    void recentValuesWeighMost() {
        SampledHistogram histogram = new SampledHistogram();
        for (int i = 0; i < 100 * SampledHistogram.WINDOW; i++) {
            histogram.update(100);
        }
        for (int i = 0; i < 2 * SampledHistogram.WINDOW; i++) {
            histogram.update(1_000_000);
        }
        assertThat(histogram.getStatistics().getQuantile(0.5)).isGreaterThan(800_000);
        assertThat(histogram.getCount()).isEqualTo(102L * SampledHistogram.WINDOW);
        assertThat(histogram.getStatistics().size()).isLessThanOrEqualTo(SampledHistogram.WINDOW);
    }

    @Test
    void anEmptyHistogramSaysZero() {
        HistogramStatistics statistics = new SampledHistogram().getStatistics();
        assertThat(statistics.getQuantile(0.5)).isZero();
        assertThat(statistics.getMean()).isZero();
        assertThat(statistics.getStdDev()).isZero();
        assertThat(statistics.getMax()).isZero();
        assertThat(statistics.getMin()).isZero();
        assertThat(statistics.getValues()).isEmpty();
    }
}
