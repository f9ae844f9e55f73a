package io.drey.store.run;

import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockLayout;
import io.drey.store.cache.FrameCache;
import io.drey.store.file.FileReads;
import io.drey.store.filter.FilterLayout;
import io.drey.store.filter.FilterProbe;

/**
 * Brings pages of indexes and filters of runs, through a cache if there is one: where a key is, and whether a filter
 * lets it pass. One thread. Hot path.
 */
final class PageReader implements AutoCloseable {
    private final FrameCache cache;
    private final FileReads files;
    private final Checksum checksum = new Checksum();
    private final Scratch filterPage;
    private long filterReads;
    private long filterHits;
    private long indexReads;
    private long indexHits;

    /** A reader with a cache, or null for none. */
    PageReader(FrameCache cache, FileReads files, RunMemory memory) {
        this.cache = cache;
        this.files = files;
        this.filterPage = new Scratch(memory.arena(), memory.overdraft());
    }

    boolean isCached() {
        return cache != null;
    }

    FrameCache cache() {
        return cache;
    }

    long filterReads() {
        return filterReads;
    }

    long filterHits() {
        return filterHits;
    }

    long indexReads() {
        return indexReads;
    }

    long indexHits() {
        return indexHits;
    }

    /**
     * Points a page at the one of a run's index that tells where a key is, and answers with the one block in it that
     * can hold the key; -1 if the key is before the first of the run. The hash and the body are those of the key.
     */
    int locate(Run run, IndexPage page, Scratch buffer, long prefix, long hash, byte[] body, int bodyLength) {
        RunIndex index = run.index();
        int high = index.lastNotAbove(prefix);
        if (high < 0) {
            return -1;
        }
        int low = high;
        if (index.prefix(high) == prefix) {
            // Pages may begin in the midst of a row: sought is the last whose first key is not above.
            low = Math.max(0, index.lowerBound(prefix) - 1);
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                open(run, middle, page, buffer);
                if (page.locate(prefix, hash, body, bodyLength) >= 0) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
        }
        open(run, low, page, buffer);
        return page.locate(prefix, hash, body, bodyLength);
    }

    /**
     * Points a page at one of a run's index, in its frame, or in the buffer if there is none for it: valid until the
     * buffer is used again or the cache gets another page, unless the frame is pinned.
     */
    void open(Run run, int number, IndexPage page, Scratch buffer) {
        RunIndex index = run.index();
        int frame = cache == null ? FrameCache.NONE : index.frames()[number];
        if (frame != FrameCache.NONE) {
            indexHits++;
            cache.touch(frame);
            page.open(index, number, cache.address(frame));
            return;
        }
        long offset = index.pageOffset(number);
        int length = (int) (index.pageOffset(number + 1) - offset);
        frame = frameFor(run, offset, length);
        long address = frame == FrameCache.NONE ? buffer.reserveAnew(length) : cache.address(frame);
        boolean read = false;
        try {
            files.read(run.file(), offset, address, length);
            indexReads++;
            check(run, number, address, length);
            read = true;
        } finally {
            removeUnless(read, frame);
        }
        if (frame != FrameCache.NONE) {
            cache.tell(frame, index.frames(), number);
        }
        page.open(index, number, address);
    }

    /** Reads pages of a run's index into a buffer at once, past the cache; unchecked. */
    void read(Run run, int first, int end, Scratch buffer) {
        long from = run.index().pageOffset(first);
        int length = (int) (run.index().pageOffset(end) - from);
        files.read(run.file(), from, buffer.reserveAnew(length), length);
        indexReads++;
    }

    /** Keeps the frame of an index page that was just opened until it is unpinned; {@link FrameCache#NONE} if it has none. */
    int pin(Run run, int number) {
        int frame = cache == null ? FrameCache.NONE : run.index().frames()[number];
        if (frame != FrameCache.NONE) {
            cache.pin(frame);
        }
        return frame;
    }

    /** Throws if the bytes at an address are not those of a page of a run's index. */
    void check(Run run, int number, long address, int length) {
        int sum = checksum.of(
                address + IndexPage.BLOCKS_OFFSET,
                length - IndexPage.BLOCKS_OFFSET,
                BlockLayout.seed(run.seed(), run.index().dataOffset(number)));
        if (sum != Memory.getInt(address)) {
            throw damaged(run, run.index().pageOffset(number), "a page of the index", Memory.getInt(address), sum);
        }
    }

    /** Adds a page of a run's filter to a probe, as unknown if it is not in memory, or not certainly the one. */
    void probe(FilterPages filter, int page, FilterProbe probe) {
        int frame = page == FilterPages.UNSURE || cache == null ? FrameCache.NONE : filter.frames()[page];
        if (frame == FrameCache.NONE) {
            probe.addUnknown();
        } else {
            filterHits++;
            cache.touch(frame);
            probe.add(cache.address(frame), cache.length(frame));
        }
    }

    /** Whether a page of a filter is in memory, or has room there. */
    boolean isFilterAtHand(Run run, int page, boolean isOfUse) {
        return run.filterPages().frames()[page] != FrameCache.NONE || (isOfUse && cache.hasRoom());
    }

    /** Whether a page of a run's filter lets a hash pass; the page is read if it is not in memory. */
    boolean passes(Run run, int page, long hash) {
        if (page < 0) {
            return false;
        }
        int frame = run.filterPages().frames()[page];
        if (frame != FrameCache.NONE) {
            filterHits++;
            cache.touch(frame);
            return FilterLayout.mayHold(cache.address(frame), cache.length(frame), hash);
        }
        int length = run.filterPages().length(page);
        return FilterLayout.mayHold(fetchFilterPage(run, page, length), length, hash);
    }

    /** Reads a page, into the cache if there is a frame for it; its address until the next. */
    private long fetchFilterPage(Run run, int page, int length) {
        long offset = run.filterPages().offset(page);
        int frame = frameFor(run, offset, length);
        long address = frame == FrameCache.NONE ? filterPage.reserve(length) : cache.address(frame);
        boolean read = false;
        try {
            readFilterPage(run, offset, address, length);
            read = true;
        } finally {
            removeUnless(read, frame);
        }
        if (frame != FrameCache.NONE) {
            cache.tell(frame, run.filterPages().frames(), page);
        }
        return address;
    }

    void readFilterPage(Run run, long offset, long address, int length) {
        files.read(run.file(), offset, address, length);
        filterReads++;
        int sum = checksum.of(
                address + FilterLayout.HEADER_BYTES,
                length - FilterLayout.HEADER_BYTES,
                BlockLayout.seed(run.seed(), offset));
        if (sum != Memory.getInt(address)) {
            throw damaged(run, offset, "a filter page", Memory.getInt(address), sum);
        }
    }

    private int frameFor(Run run, long offset, int length) {
        return cache == null || length > cache.frameBytes() ? FrameCache.NONE : cache.add(run.number(), offset, length);
    }

    private void removeUnless(boolean read, int frame) {
        if (!read && frame != FrameCache.NONE) {
            cache.remove(frame);
        }
    }

    private static CorruptFileException damaged(Run run, long offset, String what, int expected, int found) {
        return new CorruptFileException(
                run.info().name(),
                offset,
                what + " with checksum " + Integer.toHexString(expected),
                Integer.toHexString(found));
    }

    @Override
    public void close() {
        filterPage.close();
    }
}
