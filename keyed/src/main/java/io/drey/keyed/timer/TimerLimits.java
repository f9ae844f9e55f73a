package io.drey.keyed.timer;

/**
 * Limits of the part of a queue that is on the heap.
 *
 * @param nearMax weight of the next timers that are kept, see {@link Element#weight()}
 * @param bucketFill weight at which a bucket of a key group is full; one of twice that is split
 * @param journalMax weight at which a bucket that cannot be split, as its elements are of one rank, becomes a map
 * @param bucketsMax buckets that a queue's directory holds; when there are as many, buckets grow instead
 */
public record TimerLimits(int nearMax, int bucketFill, int journalMax, int bucketsMax) {
    private static final int BUCKET_FILL_MIN = 16;
    private static final int BUCKET_FILL_MAX = 1024;

    /** A few megabytes, which a rewrite reads and sorts at once; larger journals would be too large for the store. */
    private static final int JOURNAL_MAX = 1 << 16;

    private static final int BUCKETS_MAX = 1 << 18;

    public TimerLimits {
        if (nearMax < 1 || bucketFill < 1 || journalMax < 1 || bucketsMax < 1) {
            throw new IllegalArgumentException("expected limits of at least 1, found near " + nearMax + ", bucket "
                    + bucketFill + ", journal " + journalMax + ", buckets " + bucketsMax);
        }
    }

    /** For a subtask of so many key groups, of each of which one bucket is near at any time. */
    public static TimerLimits of(int cacheSize, int keyGroups) {
        int fill = Math.min(BUCKET_FILL_MAX, Math.max(BUCKET_FILL_MIN, cacheSize / (2 * keyGroups)));
        return new TimerLimits(Math.max(cacheSize, 2 * fill * keyGroups), fill, JOURNAL_MAX, BUCKETS_MAX);
    }
}
