package io.drey.flink.state.snapshot;

import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResources;
import org.apache.flink.runtime.state.SnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotStrategy.SnapshotResultSupplier;

/** The asynchronous part of one checkpoint, which can be taken back until somebody has heard of its result. */
interface CheckpointRun extends SnapshotResultSupplier<KeyedStateHandle> {
    /**
     * Nobody will hear of this checkpoint, whether it runs, has run or never will: deletes what is its own and nobody
     * else's. Never throws; a second call does nothing.
     */
    void withdraw();

    /** Begins checkpoints. */
    interface Strategy<R extends SnapshotResources> extends SnapshotStrategy<KeyedStateHandle, R> {
        @Override
        CheckpointRun asyncSnapshot(
                R resources,
                long checkpointId,
                long timestamp,
                CheckpointStreamFactory streams,
                CheckpointOptions options);
    }
}
