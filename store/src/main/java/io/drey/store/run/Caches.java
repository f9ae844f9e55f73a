package io.drey.store.run;

import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;

/**
 * The caches of a session of the owner; null for none.
 *
 * @param blocks decompressed blocks
 * @param compressed blocks as they are stored
 * @param filters pages of filters
 * @param thresholds what a read has to take for {@code compressed} to be used, and for more
 */
public record Caches(
        FrameCache blocks, CompressedBlockCache compressed, FrameCache filters, ReadThresholds thresholds) {
    static final Caches NONE = new Caches(null, null, null, ReadThresholds.ANY);
}
