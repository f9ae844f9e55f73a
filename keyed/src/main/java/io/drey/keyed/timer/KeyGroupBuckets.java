package io.drey.keyed.timer;

import java.util.Arrays;

/**
 * The buckets of one key group, by rank: bucket i holds the elements from its rank up to that of the next one, in a
 * journal or as a map. And the bound below which elements are near. One thread.
 *
 * <p>A journal's weight is that of its notes: an element added twice counts twice. A bucket's highest rank is at least
 * that of its last element; ranks above it have never been in the bucket.
 */
final class KeyGroupBuckets {
    private static final int FIRST_CAPACITY = 4;

    /** The rewrite weight of a bucket that is a map: that is never rewritten. */
    private static final int MAP = Integer.MAX_VALUE;

    private final int keyGroup;
    private long[] lows = new long[FIRST_CAPACITY];
    private long[] highests = new long[FIRST_CAPACITY];
    private int[] weights = new int[FIRST_CAPACITY];
    private int[] rewriteWeights = new int[FIRST_CAPACITY];
    private int from;
    private int to;

    private long boundRank;
    private byte[] boundBytes;

    /** Where the group stands among those with buckets. */
    int place = -1;

    KeyGroupBuckets(int keyGroup) {
        this.keyGroup = keyGroup;
    }

    int keyGroup() {
        return keyGroup;
    }

    int size() {
        return to - from;
    }

    long low(int i) {
        return lows[from + i];
    }

    long highest(int i) {
        return highests[from + i];
    }

    void highest(int i, long rank) {
        highests[from + i] = rank;
    }

    int weight(int i) {
        return weights[from + i];
    }

    void weight(int i, int weight) {
        weights[from + i] = weight;
    }

    /** The weight at which to rewrite the bucket's journal. */
    int rewriteWeight(int i) {
        return rewriteWeights[from + i];
    }

    void rewriteWeight(int i, int weight) {
        rewriteWeights[from + i] = weight;
    }

    /** Whether the bucket's elements are entries of a map, not notes in a journal. */
    boolean isMap(int i) {
        return rewriteWeights[from + i] == MAP;
    }

    void becomeMap(int i) {
        rewriteWeights[from + i] = MAP;
    }

    /** The bucket that a rank belongs to, or -1 if it is below all of them. */
    int bucketOf(long rank) {
        if (from < to && lows[to - 1] <= rank) {
            return to - 1 - from;
        }
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lows[middle] <= rank) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1 - from;
    }

    /** Inserts an empty bucket i. */
    void insert(int i, long low, long highest, int rewriteWeight) {
        if (to == lows.length) {
            makeRoom();
        }
        int at = from + i;
        System.arraycopy(lows, at, lows, at + 1, to - at);
        System.arraycopy(highests, at, highests, at + 1, to - at);
        System.arraycopy(weights, at, weights, at + 1, to - at);
        System.arraycopy(rewriteWeights, at, rewriteWeights, at + 1, to - at);
        lows[at] = low;
        highests[at] = highest;
        weights[at] = 0;
        rewriteWeights[at] = rewriteWeight;
        to++;
    }

    /** Moves the buckets to the front of their arrays, or of larger ones. */
    private void makeRoom() {
        int count = to - from;
        if (count > lows.length / 2) {
            int end = from + 2 * lows.length;
            lows = Arrays.copyOfRange(lows, from, end);
            highests = Arrays.copyOfRange(highests, from, end);
            weights = Arrays.copyOfRange(weights, from, end);
            rewriteWeights = Arrays.copyOfRange(rewriteWeights, from, end);
        } else {
            System.arraycopy(lows, from, lows, 0, count);
            System.arraycopy(highests, from, highests, 0, count);
            System.arraycopy(weights, from, weights, 0, count);
            System.arraycopy(rewriteWeights, from, rewriteWeights, 0, count);
        }
        from = 0;
        to = count;
    }

    /** Removes the first bucket; the next one's rank becomes the bound. */
    void removeFirst() {
        from++;
        if (from < to) {
            bound(lows[from], null);
        } else {
            from = 0;
            to = 0;
        }
    }

    /** Elements of lower rank are near; of this rank those up to the bytes, or none if these are null. */
    void bound(long rank, byte[] lastNear) {
        boundRank = rank;
        boundBytes = lastNear;
    }

    long boundRank() {
        return boundRank;
    }

    /** The last near element of the bound's rank, or null. */
    byte[] boundBytes() {
        return boundBytes;
    }

    /** Whether an element is near if it is there. */
    boolean isNear(Element element) {
        if (from == to || element.rank() < boundRank) {
            return true;
        }
        return element.rank() == boundRank
                && boundBytes != null
                && element.compareBytes(boundBytes, 0, boundBytes.length) <= 0;
    }

    /** Whether the bound's rank is below that of another group. */
    boolean isBefore(KeyGroupBuckets other) {
        return boundRank < other.boundRank;
    }
}
