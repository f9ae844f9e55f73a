package io.drey.checkpoint.upload;

/** The sum of what was added in the last minute, by the second. Guarded by its user. */
final class LastMinute {
    private static final int SECONDS = 60;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final long[] sums = new long[SECONDS];
    private long second = Long.MIN_VALUE;
    private long sum;

    void add(long value, long nowNanos) {
        goTo(nowNanos);
        sums[Math.floorMod(second, SECONDS)] += value;
        sum += value;
    }

    long sum(long nowNanos) {
        goTo(nowNanos);
        return sum;
    }

    private void goTo(long nowNanos) {
        long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
        long from = Math.max(second, now - SECONDS);
        for (long each = from + 1; each <= now; each++) {
            int index = Math.floorMod(each, SECONDS);
            sum -= sums[index];
            sums[index] = 0;
        }
        second = Math.max(second, now);
    }
}
