package io.drey.foundation;

import java.util.Arrays;

/**
 * Bytes that only grow, in pages of an {@link Arena} that need not be neighbours: for what lives long and is too large
 * to find a span for. Pages that the arena does not have are borrowed beyond it, see {@link Scratch}. Written by one
 * thread, then read by any number of them.
 */
public final class PagedBytes implements AutoCloseable {
    private final Arena arena;
    private final Overdraft overdraft;
    private final Arena.Use use;
    private final int shift;
    private final int mask;
    private long[] pages = new long[4];

    /** Where page i came from: null for the arena. */
    private Scratch[] borrowed = new Scratch[4];

    private int pageCount;
    private long size;

    public PagedBytes(Arena arena, Overdraft overdraft, Arena.Use use) {
        this.arena = arena;
        this.overdraft = overdraft;
        this.use = use;
        this.shift = Integer.numberOfTrailingZeros(arena.pageBytes());
        this.mask = arena.pageBytes() - 1;
    }

    public long size() {
        return size;
    }

    /** Appends a long; only where the size is a multiple of 8. */
    public void appendLong(long value) {
        assert (size & 7) == 0;
        reserve(size + 8);
        Memory.putLong(address(size), value);
        size += 8;
    }

    /** Appends {@code length} bytes of memory. */
    public void append(long from, long length) {
        reserve(size + length);
        long source = from;
        long left = length;
        while (left > 0) {
            int count = (int) Math.min(left, contiguous(size));
            Memory.copy(source, address(size), count);
            source += count;
            left -= count;
            size += count;
        }
    }

    /** The long at an offset that is a multiple of 8. */
    public long getLong(long offset) {
        assert (offset & 7) == 0 && offset + 8 <= size;
        return Memory.getLong(pages[(int) (offset >>> shift)] + (offset & mask));
    }

    /** The int at an offset that is a multiple of 4. */
    public int getInt(long offset) {
        assert (offset & 3) == 0 && offset + 4 <= size;
        return Memory.getInt(pages[(int) (offset >>> shift)] + (offset & mask));
    }

    /** Where the byte at an offset is; {@link #contiguous} bytes from there on are neighbours. */
    public long address(long offset) {
        return pages[(int) (offset >>> shift)] + (offset & mask);
    }

    /** How many bytes from an offset to the end of its page. */
    public int contiguous(long offset) {
        return mask + 1 - (int) (offset & mask);
    }

    /** Unsigned byte order of a range and {@code bytes[0, length)}; a proper prefix comes first. */
    public int compare(long offset, int rangeLength, byte[] bytes, int length) {
        int common = Math.min(rangeLength, length);
        int done = 0;
        while (done < common) {
            int count = Math.min(common - done, contiguous(offset + done));
            int order = Memory.compare(address(offset + done), count, bytes, done, count);
            if (order != 0) {
                return order;
            }
            done += count;
        }
        return rangeLength - length;
    }

    private void reserve(long newSize) {
        while (((long) pageCount << shift) < newSize) {
            if (pageCount == pages.length) {
                pages = Arrays.copyOf(pages, pageCount * 2);
                borrowed = Arrays.copyOf(borrowed, pageCount * 2);
            }
            long page = arena.take(use);
            if (page == Arena.FULL) {
                borrowed[pageCount] = new Scratch(arena, overdraft);
                page = borrowed[pageCount].reserve(mask + 1);
            }
            pages[pageCount++] = page;
        }
    }

    /** Gives back all pages; the bytes can be filled again. */
    @Override
    public void close() {
        for (int i = 0; i < pageCount; i++) {
            if (borrowed[i] == null) {
                arena.give(pages[i], use);
            } else {
                borrowed[i].close();
                borrowed[i] = null;
            }
        }
        pageCount = 0;
        size = 0;
    }
}
