package io.drey.flink.state.metric;

import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.HistogramStatistics;

/**
 * A histogram in a fixed array of counters: below 4 exact, above that four buckets to a power of two, so that a
 * quantile is at most an eighth off. Recent values weigh most: after every {@value #WINDOW} values all counters are
 * halved.
 *
 * <p>One thread updates, any thread reads while it does: a reading may miss the very last values, nothing else.
 * Allocates nothing but its counters, once, and for readers.
 */
final class SampledHistogram implements Histogram {
    /** Values after which those before count half. */
    static final int WINDOW = 4096;

    /** Buckets to a power of two, as a power of two. */
    private static final int SUB_BITS = 2;

    private static final int SUBS = 1 << SUB_BITS;

    /** Values of 2^41 and more (36 minutes in nanoseconds) are in the last bucket. */
    private static final int EXPONENT_MAX = 40;

    static final int BUCKETS = (EXPONENT_MAX - SUB_BITS + 2) * SUBS;

    private static final long[] EMPTY = new long[BUCKETS];

    /** Before the first value, the same for all histograms. */
    private long[] buckets = EMPTY;

    private long count;

    @Override
    public void update(long value) {
        if (buckets == EMPTY) {
            buckets = new long[BUCKETS];
        }
        buckets[bucket(value)]++;
        count++;
        if ((count & (WINDOW - 1)) == 0) {
            halve(buckets);
        }
    }

    private static void halve(long[] counters) {
        for (int i = 0; i < counters.length; i++) {
            counters[i] >>>= 1;
        }
    }

    /** Values so far, whatever still counts of them. */
    @Override
    public long getCount() {
        return count;
    }

    @Override
    public HistogramStatistics getStatistics() {
        return new BucketStatistics(buckets.clone());
    }

    static int bucket(long value) {
        if (value < SUBS) {
            return (int) Math.max(0, value);
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        if (exponent > EXPONENT_MAX) {
            return BUCKETS - 1;
        }
        int sub = (int) (value >>> (exponent - SUB_BITS)) & (SUBS - 1);
        return (exponent - SUB_BITS + 1) * SUBS + sub;
    }

    /** The smallest value of a bucket; that of the one behind the last is where the last ends. */
    static long floor(int bucket) {
        if (bucket < SUBS) {
            return bucket;
        }
        int shift = bucket / SUBS - 1;
        return (long) (SUBS + bucket % SUBS) << shift;
    }
}
