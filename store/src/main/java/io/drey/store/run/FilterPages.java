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

    private final long[] firstPrefixes;
    private final int[] frames;

    FilterPages(RunIndex index) {
        firstPrefixes = new long[index.filterPages()];
        frames = new int[index.filterPages()];
        for (int page = 0; page < firstPrefixes.length; page++) {
            firstPrefixes[page] = index.prefix(index.filterFirstBlock(page));
        }
        Arrays.fill(frames, FrameCache.NONE);
    }

    /** The page that covers all blocks that may hold a prefix, or {@link #UNSURE}. */
    int of(long prefix) {
        int low = 0;
        int high = firstPrefixes.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(firstPrefixes[middle], prefix) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        boolean beginsWithIt = low < firstPrefixes.length && firstPrefixes[low] == prefix;
        return beginsWithIt ? UNSURE : low - 1;
    }

    /** The frame of each page, or {@link FrameCache#NONE}. */
    int[] frames() {
        return frames;
    }
}
