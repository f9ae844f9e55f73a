package io.drey.store.run;

import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.tuning.ReadThresholds;

/**
 * The caches of a session of the owner; null for none.
 *
 * @param blocks decompressed blocks
 * @param compressed blocks as they are stored
 * @param pages pages of indexes and filters
 * @param thresholds what a read has to take for {@code compressed} to be used, and for more
 */
public record Caches(FrameCache blocks, CompressedBlockCache compressed, FrameCache pages, ReadThresholds thresholds) {
    static final Caches NONE = new Caches(null, null, null, ReadThresholds.ANY);

    /** About what a compressed block takes, as a part of a block; only to choose how many are noted. */
    private static final int COMPRESSED_FRACTION = 4;

    /** Notes so many bytes of what each cache of blocks evicts from now on. */
    public void watch(long windowBytes) {
        blocks.watch(windowBytes);
        compressed.watch(windowBytes, blocks.frameBytes() / COMPRESSED_FRACTION);
    }
}
