package io.drey.store.run;

import io.drey.store.cache.FrameCache;
import io.drey.store.cache.PackedCache;

/**
 * The caches of a session of the owner; null for none.
 *
 * @param blocks unpacked blocks
 * @param packed blocks as they are stored
 * @param filters pages of filters
 * @param dearReadNanos where a read takes as long, it brings neighbours for {@code packed} as well, while that has room
 */
public record Caches(FrameCache blocks, PackedCache packed, FrameCache filters, long dearReadNanos) {
    static final Caches NONE = new Caches(null, null, null, 0);
}
