package io.drey.store.cache;

import io.drey.foundation.Arena;

/** Fixed frames, keyed by the number of an opened file and an offset in it, evicted by a clock. One thread. */
public final class FrameCache implements AutoCloseable {
    public FrameCache(int frameBytes, int maxFrames, Arena arena) {
        throw new UnsupportedOperationException();
    }

    public int frames() {
        throw new UnsupportedOperationException();
    }

    /** Evicts and gives pages back until no more than so many frames are left, as far as cursors let go of them. */
    public void shrink(int frames) {
        throw new UnsupportedOperationException();
    }

    /** Forgets the frames of a file that is gone. */
    public void forget(long file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
