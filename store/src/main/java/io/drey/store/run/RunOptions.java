package io.drey.store.run;

import io.drey.store.block.Compression;

/**
 * Settings of the writers of runs. Readers need none of it.
 *
 * @param blockBytes target size of a block before compression; a larger entry makes a block of its own size
 * @param filterPageBytes most bytes of a filter page
 * @param bufferBytes bytes that are written at once
 * @param compression how blocks are compressed, unless the writer is told otherwise
 */
public record RunOptions(int blockBytes, int filterPageBytes, int bufferBytes, Compression compression) {
    public static final int FILTER_PAGE_BYTES = 4096;

    public RunOptions {
        if (blockBytes < 64 || filterPageBytes < 64 || bufferBytes < 64) {
            throw new IllegalArgumentException("expected block, filter page and buffer of >= 64 bytes, found "
                    + blockBytes + ", " + filterPageBytes + ", " + bufferBytes);
        }
    }

    /** The options that ship, with a size of blocks and of writes. */
    public static RunOptions of(int blockBytes, int bufferBytes) {
        return new RunOptions(blockBytes, FILTER_PAGE_BYTES, bufferBytes, Compression.LZ4);
    }
}
