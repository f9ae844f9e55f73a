package io.drey.store;

import io.drey.store.entry.EntryCursor;
import java.util.List;

/**
 * A store as it was at one moment. After {@link #await} it consists of immutable files only, which stay on disk until
 * {@link #close}. Except for its creation it may be used by any one thread, also after the store was closed.
 */
public final class StoreSnapshot implements AutoCloseable {
    StoreSnapshot() {}

    /** Waits until everything in the snapshot is in finished local files; throws the cause if sealing failed. */
    public void await() throws InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** What to write into a manifest and to open a store from later. After {@link #await}. */
    public StoreImage image() {
        throw new UnsupportedOperationException();
    }

    /** The files of the image, in the store's directory. After {@link #await}. */
    public List<StoreImage.FileInfo> files() {
        throw new UnsupportedOperationException();
    }

    /** The live entries of one table and key group, as VALUE entries, hash-ordered; maps in byte order. After {@link #await}. */
    public EntryCursor scan(int table, int keyGroup) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
