package io.drey.bench.jmh.state;

import io.drey.bench.contender.Contenders;
import io.drey.bench.jmh.setup.BackendEnvironment;
import io.drey.bench.jmh.setup.Folder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.slf4j.LoggerFactory;

/** A contender's keyed backend for keys of {@code Long}, made from its configuration as a task makes it. */
final class KeyedBackend implements Closeable {
    private static final int KEY_GROUPS = 128;
    private static final int CHECKPOINT_BYTES_MAX = Integer.MAX_VALUE;
    private static final int WRITE_BUFFER_BYTES = 64 << 10;

    private final Folder folder = new Folder();
    private final BackendEnvironment environment;
    private final CheckpointableKeyedStateBackend<Long> backend;
    private long checkpoints;

    KeyedBackend(String contender, long memoryBytes) throws Exception {
        this(contender, memoryBytes, List.of());
    }

    KeyedBackend(String contender, long memoryBytes, List<KeyedStateHandle> restored) throws Exception {
        Configuration config = Configuration.fromMap(
                new Contenders(memoryBytes).named(contender).options());
        environment = new BackendEnvironment(folder.path().resolve("flink"), memoryBytes);
        ClassLoader classes = KeyedBackend.class.getClassLoader();
        StateBackend factory = StateBackendLoader.loadStateBackendFromConfig(
                config, classes, LoggerFactory.getLogger(KeyedBackend.class));
        backend = factory.createKeyedStateBackend(new KeyedStateBackendParametersImpl<>(
                environment.environment(),
                new JobID(),
                "benchmark (1/1)",
                LongSerializer.INSTANCE,
                KEY_GROUPS,
                new KeyGroupRange(0, KEY_GROUPS - 1),
                environment.environment().getTaskKvStateRegistry(),
                TtlTimeProvider.DEFAULT,
                UnregisteredMetricsGroup.createOperatorMetricGroup(),
                restored,
                new CloseableRegistry()));
    }

    /** What an operator calls for every record. */
    void key(Long key) {
        backend.setCurrentKey(key);
    }

    <S extends State> S state(StateDescriptor<S, ?> descriptor) throws Exception {
        return backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Long, VoidNamespace>> timers() {
        return backend.create(
                "timers", new TimerSerializer<>(LongSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE));
    }

    /** A checkpoint, after which contenders with files have everything in them. */
    void checkpoint() throws Exception {
        long id = ++checkpoints;
        RunnableFuture<SnapshotResult<KeyedStateHandle>> future = backend.snapshot(
                id,
                id,
                new MemCheckpointStreamFactory(CHECKPOINT_BYTES_MAX),
                CheckpointOptions.forCheckpointWithDefaultLocation());
        future.run();
        future.get();
        ((AbstractKeyedStateBackend<?>) backend).notifyCheckpointComplete(id);
    }

    /** Everything, in the format that all backends read, in a file. */
    KeyedStateHandle canonicalSavepoint(Path to) throws Exception {
        long id = ++checkpoints;
        SavepointResources<Long> resources = backend.savepoint();
        org.apache.flink.core.fs.Path directory = new org.apache.flink.core.fs.Path(to.toUri());
        RunnableFuture<SnapshotResult<KeyedStateHandle>> future = new SnapshotStrategyRunner<>(
                        "savepoint",
                        new SavepointSnapshotStrategy<>(resources.getSnapshotResources()),
                        new CloseableRegistry(),
                        resources.getPreferredSnapshotExecutionType())
                .snapshot(
                        id,
                        id,
                        new FsCheckpointStreamFactory(
                                FileSystem.getLocalFileSystem(), directory, directory, 0, WRITE_BUFFER_BYTES),
                        new CheckpointOptions(
                                SavepointType.savepoint(SavepointFormatType.CANONICAL),
                                CheckpointStorageLocationReference.getDefault()));
        future.run();
        return future.get().getJobManagerOwnedSnapshot();
    }

    @Override
    public void close() throws IOException {
        try {
            backend.close();
        } finally {
            backend.dispose();
            environment.close();
            folder.close();
        }
    }
}
