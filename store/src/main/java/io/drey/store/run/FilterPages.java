package io.drey.store.run;

import io.drey.store.cache.FrameCache;
import java.util.Arrays;

/**
 * The pages of a run's filter: which one covers a key, mostly without asking for its block, and in which frame of the
 * cache it lies. So a key that a run does not have costs one access to memory that is not in a cache of the processor.
 * The frames are those of the one session that reads filters; the cache takes them back.
 */
final class FilterPages {
    /** The answer where a page begins with the prefix sought, so that the block must tell. */
    static final int UNSURE = -1;

    private final RunIndex index;
    /** In 2^-32 of a page. */
    private final long pagesPerBlock;

    private final long[] firstPrefixes;
    private final int[] frames;

    FilterPages(RunIndex index) {
        this.index = index;
        pagesPerBlock = ((long) index.filterPages() << Integer.SIZE) / Math.max(1, index.blocks());
        firstPrefixes = new long[index.filterPages()];
        frames = new int[index.filterPages()];
        for (int page = 0; page < firstPrefixes.length; page++) {
            firstPrefixes[page] = index.prefix(index.filterFirstBlock(page));
        }
        Arrays.fill(frames, FrameCache.NONE);
    }

    /** The page that covers all blocks that may hold a prefix, or {@link #UNSURE}. */
    int of(long prefix) {
        return of(prefix, (index.guess(prefix) * pagesPerBlock) >>> Integer.SIZE);
    }

    /** The same from a guess on, which may be as far behind the last page as it likes. */
    int of(long prefix, long guess) {
        int next = firstNotBelow(prefix, guess);
        boolean beginsWithIt = next < firstPrefixes.length && firstPrefixes[next] == prefix;
        return beginsWithIt ? UNSURE : next - 1;
    }

    /** The first page that begins with a prefix or above: searched from a guess on, at growing distances. */
    int firstNotBelow(long prefix, long guess) {
        int low = (int) Math.min(firstPrefixes.length, guess);
        int high = low;
        int step = 1;
        while (low > 0 && !isBelow(low - 1, prefix)) {
            high = low - 1;
            low = Math.max(0, low - step);
            step <<= 1;
        }
        while (high < firstPrefixes.length && isBelow(high, prefix)) {
            low = high + 1;
            high = Math.min(firstPrefixes.length, high + step);
            step <<= 1;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBelow(middle, prefix)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isBelow(int page, long prefix) {
        return Long.compareUnsigned(firstPrefixes[page], prefix) < 0;
    }

    /** The frame of each page, or {@link FrameCache#NONE}. */
    int[] frames() {
        return frames;
    }
}
