package io.drey.flink.conformance;

import java.util.concurrent.RunnableFuture;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** A context whose snapshots are canonical savepoints, written by Flink as in {@code StreamOperatorStateHandler}. */
final class SavepointingContext extends CheckpointingContext {

    private static final int SAVEPOINT_BYTES_MAX = 4 << 20;

    private long savepoints;

    SavepointingContext(TtlTimeProvider time) {
        super(time);
    }

    @Override
    public KeyedStateHandle takeSnapshot() throws Exception {
        CheckpointableKeyedStateBackend<String> backend = getKeyedStateBackend();
        return write(backend.savepoint());
    }

    private <K> KeyedStateHandle write(SavepointResources<K> resources) throws Exception {
        RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint = new SnapshotStrategyRunner<>(
                        "savepoint",
                        new SavepointSnapshotStrategy<>(resources.getSnapshotResources()),
                        new CloseableRegistry(),
                        resources.getPreferredSnapshotExecutionType())
                .snapshot(
                        savepoints++,
                        0L,
                        new MemCheckpointStreamFactory(SAVEPOINT_BYTES_MAX),
                        CheckpointOptions.forCheckpointWithDefaultLocation());
        savepoint.run();
        return savepoint.get().getJobManagerOwnedSnapshot();
    }
}
