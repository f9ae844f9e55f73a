package io.drey.foundation;

import java.util.Arrays;

/**
 * Bytes that only grow, in {@link PageParts} that need not be neighbours: for what lives long and may be too large to
 * find a span for. Written by one thread, then read by any number of them.
 */
public final class PagedBytes implements AutoCloseable {
    private final PageParts memory;
    private final int shift;
    private final int mask;
    private long[] parts = new long[1];
    private int count;
    private long size;

    public PagedBytes(PageParts memory) {
        this.memory = memory;
        this.shift = Integer.numberOfTrailingZeros(memory.partBytes());
        this.mask = memory.partBytes() - 1;
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
            int next = (int) Math.min(left, contiguous(size));
            Memory.copy(source, address(size), next);
            source += next;
            left -= next;
            size += next;
        }
    }

    /** The long at an offset that is a multiple of 8. */
    public long getLong(long offset) {
        assert (offset & 7) == 0 && offset + 8 <= size;
        return Memory.getLong(parts[(int) (offset >>> shift)] + (offset & mask));
    }

    /** The int at an offset that is a multiple of 4. */
    public int getInt(long offset) {
        assert (offset & 3) == 0 && offset + 4 <= size;
        return Memory.getInt(parts[(int) (offset >>> shift)] + (offset & mask));
    }

    /** Where the byte at an offset is; {@link #contiguous} bytes from there on are neighbours. */
    public long address(long offset) {
        return parts[(int) (offset >>> shift)] + (offset & mask);
    }

    /** How many bytes from an offset to the end of its part. */
    public int contiguous(long offset) {
        return mask + 1 - (int) (offset & mask);
    }

    /** Unsigned byte order of a range and {@code bytes[0, length)}; a proper prefix comes first. */
    public int compare(long offset, int rangeLength, byte[] bytes, int length) {
        int common = Math.min(rangeLength, length);
        int done = 0;
        while (done < common) {
            int next = Math.min(common - done, contiguous(offset + done));
            int order = Memory.compare(address(offset + done), next, bytes, done, next);
            if (order != 0) {
                return order;
            }
            done += next;
        }
        return rangeLength - length;
    }

    private void reserve(long newSize) {
        while (((long) count << shift) < newSize) {
            if (count == parts.length) {
                parts = Arrays.copyOf(parts, count * 2);
            }
            parts[count] = memory.take();
            count++;
        }
    }

    /** Gives back all memory; the bytes can be filled again. */
    @Override
    public void close() {
        while (count > 0) {
            memory.give(parts[--count]);
        }
        size = 0;
    }
}
