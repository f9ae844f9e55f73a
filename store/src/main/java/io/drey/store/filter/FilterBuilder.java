package io.drey.store.filter;

import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;

/**
 * Collects the hashes of block after block and makes pages of them, see {@link FilterLayout}. A page covers whole
 * blocks: as many as its full size has room for, at least one. One thread.
 */
public final class FilterBuilder implements AutoCloseable {
    private final Scratch hashes;
    private final Scratch page;
    private final Checksum checksum = new Checksum();
    private final int bitsTenths;
    private final int bucketsMax;
    private final int capacity;
    private int count;

    /** How many of the hashes belong to finished blocks. */
    private int finished;

    private int length;

    /**
     * A builder without a hash.
     *
     * @param bitsTenths tenths of bits for a hash, from {@link FilterLayout#BITS_TENTHS_MIN} to {@link
     *     FilterLayout#BITS_TENTHS_MAX}
     */
    public FilterBuilder(Arena arena, Overdraft overdraft, int pageBytes, int bitsTenths) {
        assert bitsTenths >= FilterLayout.BITS_TENTHS_MIN && bitsTenths <= FilterLayout.BITS_TENTHS_MAX : bitsTenths;
        this.bitsTenths = bitsTenths;
        hashes = new Scratch(arena, overdraft);
        page = new Scratch(arena, overdraft);
        bucketsMax = Math.max(
                1,
                (pageBytes - FilterLayout.HEADER_BYTES - FilterLayout.sparseFor(bitsTenths))
                        / FilterLayout.BUCKET_BYTES);
        capacity = (int) (bucketsMax * 8L * FilterLayout.BUCKET_BYTES * 10 / bitsTenths);
    }

    /** Adds a hash of the block being collected. */
    public void add(long hash) {
        long at = hashes.grow((count + 1) * 8, count * 8);
        Memory.putLong(at + count * 8L, hash);
        count++;
    }

    /** Whether the block being collected is one too many: {@link #build} the page of those before. */
    public boolean isOver() {
        return finished > 0 && count > capacity;
    }

    /** The block being collected is complete. */
    public void finishBlock() {
        finished = count;
    }

    /** Whether there are finished blocks without a page. */
    public boolean hasFinished() {
        return finished > 0;
    }

    /** Makes the page of the finished blocks and forgets their hashes; the page stays until the next call. */
    public void build(long seed) {
        long bits = (long) finished * bitsTenths / 10;
        int buckets = (int) Math.min(bucketsMax, bits / (8 * FilterLayout.BUCKET_BYTES) + 1);
        length = FilterLayout.HEADER_BYTES + buckets * FilterLayout.BUCKET_BYTES + FilterLayout.sparseFor(bitsTenths);
        long to = page.reserve(length);
        long from = hashes.address();
        Memory.fill(to, length, (byte) 0);
        for (int i = 0; i < finished; i++) {
            FilterLayout.add(to, length, Memory.getLong(from + i * 8L));
        }
        int sum = checksum.of(to + FilterLayout.HEADER_BYTES, length - FilterLayout.HEADER_BYTES, seed);
        Memory.putInt(to, sum);
        Memory.copy(from + finished * 8L, from, (count - finished) * 8L);
        count -= finished;
        finished = 0;
    }

    public long address() {
        return page.address();
    }

    public int length() {
        return length;
    }

    @Override
    public void close() {
        hashes.close();
        page.close();
    }
}
