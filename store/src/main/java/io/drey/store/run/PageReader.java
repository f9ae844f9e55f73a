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
import io.drey.store.tuning.DiskSpeed;

/**
 * Brings pages of indexes and filters of runs, through a cache if there is one: where a key is, and whether a filter
 * lets it pass. One thread. Hot path.
 */
final class PageReader implements AutoCloseable {
    /** What one read of pages brings at most, and as a part of all memory; a disk counts that as one I/O. */
    private static final int AROUND_BYTES_MAX = 256 << 10;

    private static final int AROUND_FRACTION = 64;

    /** A page begins with its checksum. */
    private static final int CHECKSUM_BYTES = 4;

    /** Pages of a run, of its index or its filter, by number. */
    interface Pages {
        int pages();

        /** Where in the file a page begins; pages with higher numbers lie behind it. */
        long offset(int page);

        int length(int page);

        /** The frame of the cache that each page is in, or {@link FrameCache#NONE}. */
        int[] frames();

        /** The offset in the file that the checksum of a page covers with its bytes. */
        long checkedOffset(int page);

        /** What messages call a page. */
        String what();
    }

    private final FrameCache cache;
    private final FileReads files;
    private final Checksum checksum = new Checksum();
    private final DiskSpeed disk;
    private final Scratch filterPage;

    /** Pages that are read at once. */
    private final Scratch around;

    private final int aroundBytes;
    private long filterReads;
    private long filterHits;
    private long indexReads;
    private long indexHits;

    /** A reader with a cache, or null for none. */
    PageReader(FrameCache cache, FileReads files, DiskSpeed disk, RunMemory memory) {
        this.cache = cache;
        this.files = files;
        this.disk = disk;
        this.filterPage = new Scratch(memory.arena(), memory.overdraft());
        this.around = new Scratch(memory.arena(), memory.overdraft());
        this.aroundBytes = (int) Math.min(AROUND_BYTES_MAX, memory.arena().bytes() / AROUND_FRACTION);
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
        indexReads++;
        page.open(index, number, bring(run, index, number, buffer));
    }

    /** Reads pages of a run's index into a buffer at once, past the cache; unchecked. */
    void read(Run run, int first, int end, Scratch buffer) {
        long from = run.index().offset(first);
        int length = (int) (run.index().offset(end) - from);
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

    /** Throws if the bytes at an address are not those of a page of a run. */
    void check(Run run, Pages pages, int number, long address) {
        int sum = checksum.of(
                address + CHECKSUM_BYTES,
                pages.length(number) - CHECKSUM_BYTES,
                BlockLayout.seed(run.seed(), pages.checkedOffset(number)));
        if (sum != Memory.getInt(address)) {
            throw new CorruptFileException(
                    run.info().name(),
                    pages.offset(number),
                    pages.what() + " with checksum " + Integer.toHexString(Memory.getInt(address)),
                    Integer.toHexString(sum));
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
        return isHere(run.filterPages(), page) || (isOfUse && cache.hasRoom());
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
        filterReads++;
        long address = bring(run, run.filterPages(), page, filterPage);
        return FilterLayout.mayHold(address, run.filterPages().length(page), hash);
    }

    /** Reads a page of a run's filter, past the cache. */
    void readFilterPage(Run run, int page, long address) {
        filterReads++;
        read(run, run.filterPages(), page, address);
    }

    /**
     * Reads a page into the cache, or into the buffer if there is no frame for it; its address until the next. Where
     * the disk is slow, those around come with it as long as nothing has to go for them.
     */
    private long bring(Run run, Pages pages, int number, Scratch buffer) {
        if (disk.isSlow() && bringAround(run, pages, number)) {
            return cache.address(pages.frames()[number]);
        }
        int length = pages.length(number);
        int frame = fits(length) ? cache.add(run.number(), pages.offset(number), length) : FrameCache.NONE;
        if (frame == FrameCache.NONE) {
            long address = buffer.reserveAnew(length);
            read(run, pages, number, address);
            return address;
        }
        boolean filled = false;
        try {
            read(run, pages, number, cache.address(frame));
            filled = true;
        } finally {
            if (!filled) {
                cache.remove(frame);
            }
        }
        cache.tell(frame, pages.frames(), number);
        return cache.address(frame);
    }

    private boolean fits(int length) {
        return isCached() && length <= cache.frameBytes();
    }

    private void read(Run run, Pages pages, int number, long address) {
        read(run, pages.offset(number), address, pages.length(number));
        check(run, pages, number, address);
    }

    private void read(Run run, long offset, long address, int length) {
        long before = files.nanos();
        files.read(run.file(), offset, address, length);
        disk.read(files.nanos() - before);
    }

    /**
     * One read for all pages around one that are not in the cache; false, with nothing read, if there are none or no
     * room. Places in the file are divided into windows, so that each is read once.
     */
    private boolean bringAround(Run run, Pages pages, int number) {
        if (!fits(pages.length(number)) || !cache.hasRoom()) {
            return false;
        }
        long windowFrom = pages.offset(number) - pages.offset(number) % Math.max(1, aroundBytes);
        int first = number;
        while (first > 0 && pages.offset(first - 1) >= windowFrom) {
            first--;
        }
        int last = number;
        while (last + 1 < pages.pages() && end(pages, last + 1) <= windowFrom + aroundBytes) {
            last++;
        }
        while (first < number && isHere(pages, first)) {
            first++;
        }
        while (last > number && isHere(pages, last)) {
            last--;
        }
        if (first == last) {
            return false;
        }
        bringAll(run, pages, number, first, last);
        return true;
    }

    private static long end(Pages pages, int page) {
        return pages.offset(page) + pages.length(page);
    }

    private static boolean isHere(Pages pages, int page) {
        return pages.frames()[page] != FrameCache.NONE;
    }

    /** One read for pages that follow each other: the one wanted goes into the cache first. */
    private void bringAll(Run run, Pages pages, int wanted, int first, int last) {
        long from = pages.offset(first);
        try {
            int length = (int) (end(pages, last) - from);
            long address = around.reserve(length);
            read(run, from, address, length);
            copy(run, pages, wanted, address - from);
            for (int page = first; page <= last; page++) {
                if (!isHere(pages, page) && fits(pages.length(page)) && cache.hasRoom()) {
                    copy(run, pages, page, address - from);
                }
            }
        } finally {
            around.close();
        }
    }

    /** Copies a page into a frame, of which there is one; its bytes are in memory at its offset plus {@code base}. */
    private void copy(Run run, Pages pages, int page, long base) {
        long offset = pages.offset(page);
        int length = pages.length(page);
        check(run, pages, page, base + offset);
        int frame = cache.add(run.number(), offset, length);
        Memory.copy(base + offset, cache.address(frame), length);
        cache.tell(frame, pages.frames(), page);
    }

    @Override
    public void close() {
        filterPage.close();
        around.close();
    }
}
