package io.drey.store.run;

import io.drey.store.cache.FrameCache;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The pages of a run's filter: which one covers a key, mostly without asking for its block, and in which frame of the
 * cache it lies. So a key that a run does not have costs few accesses to memory that is not in a cache of the
 * processor. The frames are those of the one session that reads filters; the cache takes them back.
 */
public final class FilterPages implements PageReader.Pages {
    /** The answer where a page begins with the prefix sought, so that the block must tell. */
    static final int UNSURE = -1;

    private final PrefixTop top;
    private final int[] frames;
    private final long bytes;

    FilterPages(PrefixTop top) {
        this.top = top;
        frames = new int[top.pages()];
        Arrays.fill(frames, FrameCache.NONE);
        bytes = IntStream.range(0, frames.length).mapToLong(this::length).sum();
    }

    /** Whether there are none: then the filter tells nothing of any key. */
    boolean isEmpty() {
        return frames.length == 0;
    }

    /** The page that covers all blocks that may hold a prefix, or {@link #UNSURE}. */
    int of(long prefix) {
        return of(prefix, top.guess(prefix));
    }

    /** The same from a guess on, which may be any number. */
    int of(long prefix, long guess) {
        int next = top.lowerBound(prefix, guess);
        boolean beginsWithIt = next < frames.length && top.prefix(next) == prefix;
        return beginsWithIt ? UNSURE : next - 1;
    }

    /** The page that covers the block at an offset: the first that stands behind it. */
    int ofBlock(long blockOffset) {
        int low = 0;
        int high = frames.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (offset(middle) > blockOffset) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The first page that begins with a prefix or above: searched from a guess on, at growing distances. */
    int firstNotBelow(long prefix, long guess) {
        return top.lowerBound(prefix, guess);
    }

    @Override
    public int pages() {
        return frames.length;
    }

    /** Bytes of all pages. */
    long bytes() {
        return bytes;
    }

    /** Prefix of the first entry of the first block that a page covers. */
    long prefix(int page) {
        return top.prefix(page);
    }

    @Override
    public long offset(int page) {
        return top.word(page, RunLayout.FILTER_PLACE) & RunLayout.RUN_BYTES_MAX - 1;
    }

    @Override
    public int length(int page) {
        return (int) (top.word(page, RunLayout.FILTER_PLACE) >>> RunLayout.OFFSET_BITS);
    }

    @Override
    public int[] frames() {
        return frames;
    }

    @Override
    public long checkedOffset(int page) {
        return offset(page);
    }

    @Override
    public String what() {
        return "a filter page";
    }
}
