package io.drey.store.run;

import io.drey.foundation.PagedBytes;
import io.drey.store.cache.FrameCache;
import java.util.Arrays;

/**
 * The resident top of a run's index, see {@link RunLayout}: which page of the index tells of a key, and in which frame
 * of the cache that page lies. So what an opened run keeps in memory is a few bytes for hundreds of blocks. Immutable
 * but for the frames, which are those of the one session that has a cache; the cache takes them back.
 */
public final class RunIndex implements PageReader.Pages, AutoCloseable {
    private final PagedBytes resident;
    private final PrefixTop top;
    private final int blocks;
    private final int[] frames;

    /** Where the blocks end and the pages of the index begin. */
    private final long indexOffset;

    /** Where the pages of the index end. */
    private final long topOffset;

    private final long lastPrefix;

    RunIndex(PagedBytes resident, RunFooter footer, int[] tables) {
        this.resident = resident;
        this.top = new PrefixTop(resident, 0, RunLayout.INDEX_ENTRY_BYTES, footer.indexPages(), tables);
        this.blocks = footer.blocks();
        this.indexOffset = footer.indexOffset();
        this.topOffset = footer.topOffset();
        this.lastPrefix = footer.lastPrefix();
        this.frames = new int[footer.indexPages()];
        Arrays.fill(frames, FrameCache.NONE);
    }

    public int blocks() {
        return blocks;
    }

    @Override
    public int pages() {
        return top.pages();
    }

    /** Bytes of its pages. */
    public long bytes() {
        return topOffset - indexOffset;
    }

    /** The last page whose first prefix is not above, or -1. */
    int lastNotAbove(long prefix) {
        return top.lastNotAbove(prefix);
    }

    /** The first page whose first prefix is not below, or {@link #pages()}. */
    int lowerBound(long prefix) {
        return top.lowerBound(prefix);
    }

    /** The first page that may hold entries with a prefix or above: the last that begins below, or the first. */
    int pageBefore(long prefix) {
        return Math.max(0, lowerBound(prefix) - 1);
    }

    /** Prefix of the first entry of a page's first block. */
    long prefix(int page) {
        return top.prefix(page);
    }

    /** Where in the file the first block of a page begins. */
    long dataOffset(int page) {
        return top.word(page, RunLayout.INDEX_DATA_OFFSET);
    }

    /** Where the extent of the last block of a page ends. */
    long dataEnd(int page) {
        return page + 1 < pages() ? dataOffset(page + 1) : indexOffset;
    }

    /** Where the extents of all blocks end. */
    public long dataEnd() {
        return indexOffset;
    }

    /** Where in the file a page itself begins, or, behind the last one, where they end. */
    @Override
    public long offset(int page) {
        return page < pages() ? top.word(page, RunLayout.INDEX_PAGE_OFFSET) : topOffset;
    }

    @Override
    public int length(int page) {
        return (int) (offset(page + 1) - offset(page));
    }

    @Override
    public int[] frames() {
        return frames;
    }

    @Override
    public long checkedOffset(int page) {
        return dataOffset(page);
    }

    @Override
    public String what() {
        return "a page of the index";
    }

    /** About where in the file entries with a prefix begin, as if those of each page were spread evenly over it. */
    long dataBefore(long prefix) {
        int next = lowerBound(prefix);
        if (next < pages() && prefix(next) == prefix) {
            // A row of many pages begins with the first of them.
            return dataOffset(next);
        }
        int page = next - 1;
        if (page < 0) {
            return pages() == 0 ? indexOffset : dataOffset(0);
        }
        long from = dataOffset(page);
        return from + (long) (share(page, prefix) * (dataEnd(page) - from));
    }

    /** Which part of a page lies before a prefix, about. */
    private double share(int page, long prefix) {
        // Halves, so that both are positive whatever tables they are of.
        double along = (prefix - prefix(page)) >>> 1;
        double all = (endPrefix(page) - prefix(page)) >>> 1;
        return along >= all ? 1 : along / all;
    }

    /** The prefix that the next page begins with; behind the last one, the last of the run. */
    private long endPrefix(int page) {
        return page + 1 < pages() ? prefix(page + 1) : lastPrefix;
    }

    /** A prefix above another with about so many bytes between them; {@link RunView#NO_END} where there are fewer. */
    long prefixAfter(long from, long bytes) {
        long to = dataBefore(from) + bytes;
        int page = Math.max(0, lastNotAbove(from));
        while (page < pages() && dataEnd(page) < to) {
            page++;
        }
        if (page == pages()) {
            return RunView.NO_END;
        }
        double part = (to - dataOffset(page)) / (double) Math.max(1, dataEnd(page) - dataOffset(page));
        long half = (long) (((endPrefix(page) - prefix(page)) >>> 1) * Math.min(1, Math.max(0, part)));
        long found = prefix(page) + (half << 1);
        return Long.compareUnsigned(found, from) > 0 ? found : from + 1;
    }

    @Override
    public void close() {
        resident.close();
    }
}
