package io.drey.flink.state.snapshot;

import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreSnapshot;
import java.util.List;
import org.apache.flink.runtime.state.SnapshotResources;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * The part of a checkpoint that its synchronous part hands to the asynchronous one.
 *
 * @param store null if the backend has no state at all
 */
record CheckpointSnapshot(StoreSnapshot store, InstanceDirectory.Lease files, List<StateMetaInfoSnapshot> infos)
        implements SnapshotResources {
    @Override
    public void release() {
        if (store != null) {
            store.close();
        }
        files.close();
    }
}
