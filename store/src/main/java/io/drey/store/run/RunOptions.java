package io.drey.store.run;

import io.drey.store.block.Compression;

/**
 * Settings of the writers of runs. Readers need none of it.
 *
 * @param blockBytes target size of a block before compression; a larger entry makes a block of its own size
 * @param pageBytes most bytes of a page of the index or of the filter, but for what a single block needs
 * @param hasFilter whether there is a filter
 * @param bufferBytes bytes that are written at once
 * @param compression how blocks are compressed, unless the writer is told otherwise
 */
public record RunOptions(int blockBytes, int pageBytes, boolean hasFilter, int bufferBytes, Compression compression) {
    public static final int PAGE_BYTES = 4096;

    public RunOptions {
        if (blockBytes < 64 || pageBytes < 64 || bufferBytes < 64) {
            throw new IllegalArgumentException("expected block, page and buffer of >= 64 bytes, found " + blockBytes
                    + ", " + pageBytes + ", " + bufferBytes);
        }
    }

    /** Options with a filter. */
    public RunOptions(int blockBytes, int pageBytes, int bufferBytes, Compression compression) {
        this(blockBytes, pageBytes, true, bufferBytes, compression);
    }

    /** The same with blocks of another size, and with or without a filter. */
    public RunOptions with(int newBlockBytes, boolean newHasFilter) {
        return new RunOptions(newBlockBytes, pageBytes, newHasFilter, bufferBytes, compression);
    }

    /** The options that ship, with a size of blocks and of writes. */
    public static RunOptions of(int blockBytes, int bufferBytes) {
        return new RunOptions(blockBytes, PAGE_BYTES, true, bufferBytes, Compression.LZ4);
    }
}
