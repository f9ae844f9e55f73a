package io.drey.store.run;

import io.drey.store.block.Compression;
import io.drey.store.filter.FilterLayout;

/**
 * Settings of the writers of runs. Readers need none of it.
 *
 * @param blockBytes target size of a block before compression; a larger entry makes a block of its own size
 * @param pageBytes most bytes of a page of the index or of the filter, but for what a single block needs
 * @param filterBitsTenths tenths of bits of the filter for a hash; 0 for no filter
 * @param bufferBytes bytes that are written at once
 * @param compression how blocks are compressed, unless the writer is told otherwise
 */
public record RunOptions(
        int blockBytes, int pageBytes, int filterBitsTenths, int bufferBytes, Compression compression) {
    public static final int PAGE_BYTES = 4096;

    public RunOptions {
        if (blockBytes < 64 || pageBytes < 64 || bufferBytes < 64) {
            throw new IllegalArgumentException("expected block, page and buffer of >= 64 bytes, found " + blockBytes
                    + ", " + pageBytes + ", " + bufferBytes);
        }
    }

    /** Options with a filter. */
    public RunOptions(int blockBytes, int pageBytes, int bufferBytes, Compression compression) {
        this(blockBytes, pageBytes, FilterLayout.BITS_TENTHS_MAX, bufferBytes, compression);
    }

    /** The same with blocks of another size, and with or without a filter. */
    public RunOptions with(int newBlockBytes, boolean hasFilter) {
        int bits = hasFilter ? FilterLayout.BITS_TENTHS_MAX : 0;
        return new RunOptions(newBlockBytes, pageBytes, bits, bufferBytes, compression);
    }

    /** The same with a filter of so many tenths of bits for a hash, 0 for none. */
    public RunOptions withFilterOf(int newBitsTenths) {
        return new RunOptions(blockBytes, pageBytes, newBitsTenths, bufferBytes, compression);
    }

    boolean hasFilter() {
        return filterBitsTenths > 0;
    }

    /** The options that ship, with a size of blocks and of writes. */
    public static RunOptions of(int blockBytes, int bufferBytes) {
        return new RunOptions(blockBytes, PAGE_BYTES, FilterLayout.BITS_TENTHS_MAX, bufferBytes, Compression.LZ4);
    }
}
