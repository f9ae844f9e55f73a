package io.drey.store.compaction;

import java.util.Arrays;

/**
 * Chooses young runs to compact with each other: a pure function of their sizes, youngest first.
 *
 * <ol>
 *   <li>From the youngest on, runs go together as long as the next, older one is no larger than the sum of those before
 *       it. Enough of them are compacted if none is larger than all others together: what a compaction writes is then
 *       at least twice the largest of what it reads, and a byte is written anew only a logarithmic number of times.
 *   <li>If there are none of that kind and too many runs, the neighbours with the fewest bytes are.
 * </ol>
 */
final class TierPicker {
    /** Neighbours in age. */
    record Window(int from, int count) {}

    private TierPicker() {}

    /**
     * The same as {@link #pick(long[], int, CompactionLimits)}, but null if a major compaction of the fresh runs that
     * is due makes it pointless.
     */
    static Window pick(long[] bytes, int fresh, CompactionLimits limits, boolean isMajorDue, long oldBytes) {
        Window window = pick(bytes, fresh, limits);
        boolean isPointless =
                window != null && isMajorDue && limits.isPointless(window, Arrays.copyOf(bytes, fresh), oldBytes);
        return isPointless ? null : window;
    }

    /**
     * The runs to compact among the youngest {@code fresh}, or null; older ones are in a major compaction and count as
     * runs only.
     */
    static Window pick(long[] bytes, int fresh, CompactionLimits limits) {
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
        int inMajor = bytes.length - fresh;
        int allowed = Math.max(Math.min(limits.tierRunsMin(), limits.youngRunsMax()), limits.youngRunsMax() - inMajor);
        return fresh > allowed ? cheapest(bytes, fresh, fresh - allowed + 1, limits) : null;
    }

    private static Window cheapest(long[] bytes, int fresh, int countMin, CompactionLimits limits) {
        int count = Math.min(fresh, Math.max(limits.tierRunsMin(), Math.min(limits.tierRunsMax(), countMin)));
        long least = Long.MAX_VALUE;
        int best = 0;
        for (int from = 0; from + count <= fresh; from++) {
            long sum = 0;
            for (int i = from; i < from + count; i++) {
                sum += bytes[i];
            }
            if (sum < least) {
                least = sum;
                best = from;
            }
        }
        return new Window(best, count);
    }
}
