package io.drey.foundation;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One block of memory outside the heap, allocated once, cut into pages of one size: all the memory that the stores of a
 * slot may use. A page, or a span of neighbouring pages, belongs to who took it until it is given back. Thread safe;
 * taken and given at page granularity, never per operation. Nothing of it is touched at the start, which would take
 * seconds for a few gigabytes.
 *
 * <p>What is in the arena may be named by 32 bits: its place in units of {@link #unitBytes}, which are the larger the
 * larger the pages are. So more memory takes larger pages: {@link #bytesMax}.
 *
 * <p>Nothing here waits: a full arena answers {@link #FULL}, and the caller evicts, flushes or waits by its own rules.
 */
public final class Arena implements AutoCloseable {
    /** The answer when no page, or no span of that length, is free. */
    public static final long FULL = 0;

    /** The smallest unit of places. */
    public static final int UNIT_BYTES_MIN = 8;

    /** Most units in a page that is not small. */
    private static final int PAGE_UNITS_MAX = 1 << 13;

    private static final long UNITS_MAX = 1L << 32;

    /** A use of memory; the metric has the same name. */
    public enum Use {
        LOG,
        INDEX,
        CACHE,
        METADATA,
        SCRATCH
    }

    private final long base;
    private final int pageBytes;
    private final int pages;
    private final long[] taken;
    private final AtomicLongArray bytesByUse = new AtomicLongArray(Use.values().length);
    private int freePages;

    /** No word before it has a free page. */
    private int firstFree;

    private boolean closed;

    /** An arena of {@code bytes / pageBytes} pages; the page size is a power of two of at least 64 bytes. */
    public Arena(long bytes, int pageBytes) {
        if (Integer.bitCount(pageBytes) != 1 || pageBytes < 64) {
            throw new IllegalArgumentException("expected a page size that is a power of two >= 64, found " + pageBytes);
        }
        if (bytes < pageBytes || bytes / pageBytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "expected between 1 and 2^31 pages of " + pageBytes + " bytes, found " + bytes + " bytes");
        }
        if (bytes > bytesMax(pageBytes)) {
            throw new IllegalArgumentException("expected at most " + bytesMax(pageBytes) + " bytes in pages of "
                    + pageBytes + " bytes, found " + bytes + ": choose larger pages");
        }
        this.pageBytes = pageBytes;
        this.pages = (int) (bytes / pageBytes);
        this.freePages = pages;
        this.taken = new long[(pages + 63) / 64];
        int tail = pages & 63;
        if (tail != 0) {
            taken[taken.length - 1] = -1L << tail;
        }
        this.base = Memory.allocateUnset((long) pages * pageBytes);
    }

    /** Most bytes of an arena with pages of that size. */
    public static long bytesMax(int pageBytes) {
        return UNITS_MAX * unitBytes(pageBytes);
    }

    private static int unitBytes(int pageBytes) {
        return Math.max(UNIT_BYTES_MIN, pageBytes / PAGE_UNITS_MAX);
    }

    /** The unit of places, a power of two: what is named by its place begins at a multiple of it. */
    public int unitBytes() {
        return unitBytes(pageBytes);
    }

    public int pageBytes() {
        return pageBytes;
    }

    /** The address of the first page; pages follow each other without gaps. */
    public long base() {
        return base;
    }

    public int pages() {
        return pages;
    }

    public long bytes() {
        return (long) pages * pageBytes;
    }

    public synchronized int freePages() {
        return freePages;
    }

    public long usedBytes(Use use) {
        return bytesByUse.get(use.ordinal());
    }

    /** The address of one page, or {@link #FULL}. Its content is undefined. */
    public long take(Use use) {
        return takeSpan(1, use);
    }

    /** The address of {@code count} neighbouring pages, or {@link #FULL}. Its content is undefined. */
    public synchronized long takeSpan(int count, Use use) {
        if (count < 1) {
            throw new IllegalArgumentException("expected a span of at least one page, found " + count);
        }
        if (closed || count > freePages) {
            return FULL;
        }
        int first = count == 1 ? findOne() : findSpan(count);
        if (first < 0) {
            return FULL;
        }
        for (int page = first; page < first + count; page++) {
            taken[page >>> 6] |= 1L << page;
        }
        freePages -= count;
        bytesByUse.addAndGet(use.ordinal(), (long) count * pageBytes);
        return base + (long) first * pageBytes;
    }

    /** Counts one taken page under another use from now on. */
    public void relabel(Use from, Use to) {
        bytesByUse.addAndGet(from.ordinal(), -pageBytes);
        bytesByUse.addAndGet(to.ordinal(), pageBytes);
    }

    /** Gives back one page. */
    public void give(long address, Use use) {
        giveSpan(address, 1, use);
    }

    /** Gives back a span as it was taken. */
    public synchronized void giveSpan(long address, int count, Use use) {
        long first = (address - base) / pageBytes;
        if (address < base || (address - base) % pageBytes != 0 || first + count > pages) {
            throw new IllegalArgumentException("expected the address of a page of this arena, found " + address);
        }
        for (int page = (int) first; page < first + count; page++) {
            long bit = 1L << page;
            if ((taken[page >>> 6] & bit) == 0) {
                throw new IllegalStateException("page " + page + " was given back twice");
            }
            taken[page >>> 6] &= ~bit;
        }
        assert poison(address, (long) count * pageBytes);
        freePages += count;
        firstFree = Math.min(firstFree, (int) first >>> 6);
        bytesByUse.addAndGet(use.ordinal(), -(long) count * pageBytes);
    }

    private static boolean poison(long address, long bytes) {
        Memory.fill(address, bytes, Memory.POISON);
        return true;
    }

    /** Single pages are at the begin, spans at the end: else they would leave no spans between them. */
    private int findOne() {
        for (int word = firstFree; word < taken.length; word++) {
            long free = ~taken[word];
            if (free != 0) {
                firstFree = word;
                return (word << 6) + Long.numberOfTrailingZeros(free);
            }
        }
        return -1;
    }

    private int findSpan(int count) {
        int run = 0;
        for (int page = pages - 1; page >= 0; page--) {
            long word = taken[page >>> 6];
            if (word == -1) {
                run = 0;
                page &= -64;
            } else {
                run = (word & 1L << page) == 0 ? run + 1 : 0;
                if (run == count) {
                    return page;
                }
            }
        }
        return -1;
    }

    /** Frees the memory; every page must have been given back. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        int missing = pages - freePages;
        Arrays.fill(taken, -1L);
        freePages = 0;
        Memory.free(base, (long) pages * pageBytes);
        if (missing != 0) {
            throw new IllegalStateException("expected all pages back at close, found " + missing + " still taken");
        }
    }
}
