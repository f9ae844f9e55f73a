package io.drey.store.compaction;

import java.util.Arrays;

/**
 * Chooses young runs to compact with each other: a pure function of their sizes, youngest first.
 *
 * <ol>
 *   <li>From the youngest on, runs go together as long as the next, older one is no larger than the sum of those before
 *       it. Enough of them are compacted if none is larger than all others together: what a compaction writes is then
 *       at least twice the largest of what it reads, and a byte is written anew only a logarithmic number of times.
 *   <li>If there are none of that kind and too many runs, the youngest are: up to the first that is larger than all
 *       younger ones together, and two at least. Those of a major compaction in progress do not count: what is written
 *       to have fewer beside it would keep it from its end.
 *   <li>A run that is many times smaller than the next, older one does not begin: what is large is not written anew for
 *       its sake.
 * </ol>
 *
 * Where state is many times what a flush writes, the second rule decides. By it sizes grow with age as binomial numbers
 * do: of {@code C(runs + times, times)} flushes of a size none is written anew more often than that many times, and
 * with so few runs no order of compactions writes less.
 */
final class TierPicker {
    /** A run this many times as large as the next, younger one is not compacted for its sake. */
    private static final int LARGER_MAX = 8;

    /** Neighbours in age. */
    record Window(int from, int count) {}

    private TierPicker() {}

    /**
     * The same as {@link #pick(long[], int, CompactionLimits)}, but null if a major compaction of the fresh runs that
     * is due makes it pointless.
     */
    static Window pick(long[] bytes, int fresh, CompactionLimits limits, boolean isMajorDue, long oldBytes) {
        return unlessPointless(pick(bytes, fresh, limits), bytes, fresh, limits, isMajorDue, oldBytes);
    }

    /** The same of runs of about a size only. */
    static Window pickTier(long[] bytes, int fresh, CompactionLimits limits, boolean isMajorDue, long oldBytes) {
        return unlessPointless(pickTier(bytes, fresh, limits), bytes, fresh, limits, isMajorDue, oldBytes);
    }

    private static Window unlessPointless(
            Window window, long[] bytes, int fresh, CompactionLimits limits, boolean isMajorDue, long oldBytes) {
        boolean isPointless =
                window != null && isMajorDue && limits.isPointless(window, Arrays.copyOf(bytes, fresh), oldBytes);
        return isPointless ? null : window;
    }

    /** The runs to compact among the youngest {@code fresh}, or null; older ones are in a major compaction. */
    static Window pick(long[] bytes, int fresh, CompactionLimits limits) {
        Window tier = pickTier(bytes, fresh, limits);
        return tier == null && fresh > Math.max(2, limits.youngRunsMax()) ? youngest(bytes, fresh) : tier;
    }

    /** Enough runs of about a size among the youngest {@code fresh}, or null. */
    private static Window pickTier(long[] bytes, int fresh, CompactionLimits limits) {
        for (int from = 0; from + limits.tierRunsMin() <= fresh; from++) {
            long sum = bytes[from];
            long largest = sum;
            int count = 1;
            while (from + count < fresh && count < limits.tierRunsMax() && bytes[from + count] <= sum) {
                sum += bytes[from + count];
                largest = Math.max(largest, bytes[from + count]);
                count++;
            }
            if (count >= limits.tierRunsMin() && largest <= sum - largest) {
                return new Window(from, count);
            }
        }
        return null;
    }

    private static Window youngest(long[] bytes, int fresh) {
        int from = 0;
        while (from + 2 < fresh && bytes[from + 1] > LARGER_MAX * bytes[from]) {
            from++;
        }
        long sum = bytes[from] + bytes[from + 1];
        int count = 2;
        while (from + count < fresh && bytes[from + count] <= sum) {
            sum += bytes[from + count];
            count++;
        }
        return new Window(from, count);
    }
}
