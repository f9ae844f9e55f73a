package io.drey.checkpoint.upload;

import java.util.Arrays;

/** The times of the latest writes into a storage, by size. Guarded by its user. */
final class WriteTimes {
    /** Writes of one size that count. */
    static final int KEPT = 256;

    /** Fewer do not say what is usual. */
    static final int KNOWN_MIN = 8;

    /** Sizes count as one if they differ by less than a factor of 4. */
    private static final int BITS_PER_SIZE = 2;

    private static final double PERCENTILE = 0.99;
    private static final double MEDIAN = 0.5;

    private final Latest[] bySize = new Latest[Long.SIZE / BITS_PER_SIZE];

    /** A ring. */
    private static final class Latest {
        private final long[] nanos = new long[KEPT];
        private final long[] pauses = new long[KEPT];
        private final double[] rates = new double[KEPT];
        private long count;

        void add(long bytes, long took, long paused) {
            int index = (int) (count++ % KEPT);
            nanos[index] = took;
            pauses[index] = paused;
            rates[index] = bytes / (double) took;
        }

        private int size() {
            return (int) Math.min(count, KEPT);
        }

        long at(long[] values, double part) {
            long[] sorted = Arrays.copyOf(values, size());
            Arrays.sort(sorted);
            return sorted[(int) (part * (sorted.length - 1))];
        }

        double rate(double part) {
            double[] sorted = Arrays.copyOf(rates, size());
            Arrays.sort(sorted);
            return sorted[(int) (part * (sorted.length - 1))];
        }
    }

    private static int size(long bytes) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, bytes))) / BITS_PER_SIZE;
    }

    /** @param pause the longest time in which nothing of it moved */
    void add(long bytes, long nanos, long pause) {
        int size = size(bytes);
        if (bySize[size] == null) {
            bySize[size] = new Latest();
        }
        bySize[size].add(Math.max(1, bytes), Math.max(1, nanos), pause);
    }

    /** What hardly a write of such a size takes longer than; 0 before the first one. */
    long usualNanosMax(long bytes) {
        Latest latest = bySize[size(bytes)];
        return latest == null ? 0 : latest.at(latest.nanos, PERCENTILE);
    }

    /** What hardly a write of such a size stands still for; for ever as long as little is known. */
    long usualPauseMax(long bytes) {
        Latest latest = bySize[size(bytes)];
        return latest == null || latest.count < KNOWN_MIN ? Long.MAX_VALUE : latest.at(latest.pauses, PERCENTILE);
    }

    /**
     * Bytes in a nanosecond that writes of such a size go up with, or smaller ones if there was none, or larger ones; 0
     * before the first one.
     */
    double usualRate(long bytes) {
        int size = size(bytes);
        for (int each = size; each >= 0; each--) {
            if (bySize[each] != null) {
                return bySize[each].rate(MEDIAN);
            }
        }
        for (int each = size + 1; each < bySize.length; each++) {
            if (bySize[each] != null) {
                return bySize[each].rate(MEDIAN);
            }
        }
        return 0;
    }
}
