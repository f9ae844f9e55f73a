package io.drey.flink.state.metric;

import org.apache.flink.metrics.HistogramStatistics;

/**
 * Statistics of the counters of a {@link SampledHistogram}, each value taken for the middle of its bucket. Immutable.
 */
final class BucketStatistics extends HistogramStatistics {
    private final long[] buckets;
    private final long size;

    BucketStatistics(long[] buckets) {
        this.buckets = buckets;
        long sum = 0;
        for (long count : buckets) {
            sum += count;
        }
        this.size = sum;
    }

    private static double middle(int bucket) {
        return (SampledHistogram.floor(bucket) + SampledHistogram.floor(bucket + 1) - 1) / 2.0;
    }

    @Override
    public double getQuantile(double quantile) {
        long rank = Math.max(1, (long) Math.ceil(quantile * size));
        long seen = 0;
        for (int i = 0; i < buckets.length; i++) {
            seen += buckets[i];
            if (seen >= rank) {
                return middle(i);
            }
        }
        return 0;
    }

    /** One value for each that counts; reporters that want this get at most a window of them. */
    @Override
    public long[] getValues() {
        long[] values = new long[(int) size];
        int next = 0;
        for (int i = 0; i < buckets.length; i++) {
            for (long n = 0; n < buckets[i]; n++) {
                values[next++] = (long) middle(i);
            }
        }
        return values;
    }

    @Override
    public int size() {
        return (int) size;
    }

    @Override
    public double getMean() {
        double sum = 0;
        for (int i = 0; i < buckets.length; i++) {
            sum += buckets[i] * middle(i);
        }
        return size == 0 ? 0 : sum / size;
    }

    @Override
    public double getStdDev() {
        if (size < 2) {
            return 0;
        }
        double mean = getMean();
        double squares = 0;
        for (int i = 0; i < buckets.length; i++) {
            squares += buckets[i] * (middle(i) - mean) * (middle(i) - mean);
        }
        return Math.sqrt(squares / (size - 1));
    }

    @Override
    public long getMax() {
        for (int i = buckets.length - 1; i >= 0; i--) {
            if (buckets[i] > 0) {
                return SampledHistogram.floor(i + 1) - 1;
            }
        }
        return 0;
    }

    @Override
    public long getMin() {
        for (int i = 0; i < buckets.length; i++) {
            if (buckets[i] > 0) {
                return SampledHistogram.floor(i);
            }
        }
        return 0;
    }
}
