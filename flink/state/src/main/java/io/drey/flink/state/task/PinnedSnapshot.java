package io.drey.flink.state.task;

import io.drey.store.Store;
import io.drey.store.StoreSnapshot;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snapshot of a store with the right to the directory that its files are in, so that it outlives its backend. Both
 * are given back together, and neither stays because the other cannot be.
 */
public record PinnedSnapshot(StoreSnapshot store, InstanceDirectory.Lease files) {
    private static final Logger LOG = LoggerFactory.getLogger(PinnedSnapshot.class);

    /** Takes a snapshot, in the task's thread. */
    public static PinnedSnapshot take(Store store, InstanceDirectory directory) {
        return take(store::snapshot, directory);
    }

    /** Takes one ahead of another, which then has little to write. */
    public static PinnedSnapshot ahead(Store store, InstanceDirectory directory) {
        return take(() -> store.snapshot(true), directory);
    }

    private static PinnedSnapshot take(Supplier<StoreSnapshot> snapshot, InstanceDirectory directory) {
        InstanceDirectory.Lease files = directory.use();
        boolean done = false;
        try {
            PinnedSnapshot pinned = new PinnedSnapshot(snapshot.get(), files);
            done = true;
            return pinned;
        } finally {
            if (!done) {
                files.close();
            }
        }
    }

    /**
     * Gives both back. What cannot be deleted is logged: it takes space, but what the snapshot was taken for is done by
     * now, and is good.
     */
    public void release() {
        try {
            store.close();
        } catch (RuntimeException e) {
            LOG.warn("A snapshot could not let go of all its local files, which take space now", e);
        } finally {
            files.close();
        }
    }
}
