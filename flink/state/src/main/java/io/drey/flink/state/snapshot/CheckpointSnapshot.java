package io.drey.flink.state.snapshot;

import io.drey.flink.state.task.PinnedSnapshot;
import java.util.List;
import org.apache.flink.runtime.state.SnapshotResources;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * The part of a checkpoint that its synchronous part hands to the asynchronous one.
 *
 * @param pinned null if the backend has no state at all
 */
record CheckpointSnapshot(PinnedSnapshot pinned, List<StateMetaInfoSnapshot> infos) implements SnapshotResources {
    @Override
    public void release() {
        if (pinned != null) {
            pinned.release();
        }
    }
}
