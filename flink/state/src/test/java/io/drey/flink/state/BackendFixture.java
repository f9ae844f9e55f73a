package io.drey.flink.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.io.disk.iomanager.IOManagerAsync;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.DirectoryStateHandle;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;

/** Opens backends as a task would, and takes their snapshots, without a cluster. */
final class BackendFixture implements AutoCloseable {
    static final int KEY_GROUPS = 10;
    private static final long MANAGED_BYTES = 16 << 20;

    final MockEnvironment environment;
    private int keyGroupCount = KEY_GROUPS;
    private MetricGroup metrics = UnregisteredMetricsGroup.createOperatorMetricGroup();
    private TtlTimeProvider time = TtlTimeProvider.DEFAULT;
    private final SharedStateRegistry registry = new SharedStateRegistryImpl();
    private long lastCompleted;
    private CheckpointStreamFactory streams = new MemCheckpointStreamFactory(64 << 20);

    BackendFixture(Path directory) {
        this(directory, BackendFixture.class.getClassLoader());
    }

    /** Backends of a job whose classes have a loader of their own. */
    BackendFixture(Path directory, ClassLoader classesOfJob) {
        environment = builder(directory)
                .setManagedMemorySize(MANAGED_BYTES)
                .setUserCodeClassLoader(classesOfJob)
                .build();
    }

    /** Backends that share the memory of a slot with those of other fixtures. */
    BackendFixture(Path directory, MemoryManager slot) {
        environment = builder(directory).setMemoryManager(slot).build();
    }

    /** The same, of a task of its own of that job. */
    BackendFixture(Path directory, MemoryManager slot, JobID job) {
        environment = builder(directory).setMemoryManager(slot).setJobID(job).build();
    }

    /** Backends whose transfers and deletions run in threads of the test. */
    BackendFixture(Path directory, ExecutorService threads) {
        environment = builder(directory)
                .setManagedMemorySize(MANAGED_BYTES)
                .setIOManager(new IOManagerAsync(threads))
                .build();
    }

    private static MockEnvironmentBuilder builder(Path directory) {
        return new MockEnvironmentBuilder()
                .setTaskName("fixture")
                .setTaskManagerRuntimeInfo(new TestingTaskManagerRuntimeInfo(
                        new org.apache.flink.configuration.Configuration(), directory.toFile()));
    }

    /** Backends opened from now on are a stream task's, of the calling thread. */
    void mailbox() {
        environment.setMainMailboxExecutor(new MailboxExecutorImpl(
                new TaskMailboxImpl(Thread.currentThread()), 0, StreamTaskActionExecutor.IMMEDIATE));
    }

    /** How many key groups the job has of which backends are opened from now on. */
    void keyGroups(int count) {
        keyGroupCount = count;
    }

    /** Where backends opened from now on register their metrics. */
    void metrics(MetricGroup group) {
        metrics = group;
    }

    /** Snapshots go into files from now on. */
    void storage(Path storage) throws IOException {
        streams = new FsCheckpointStreamFactory(
                FileSystem.getLocalFileSystem(),
                new org.apache.flink.core.fs.Path(
                        Files.createDirectories(storage.resolve("own")).toUri()),
                new org.apache.flink.core.fs.Path(
                        Files.createDirectories(storage.resolve("shared")).toUri()),
                1024,
                4096);
    }

    CheckpointStreamFactory streams() {
        return streams;
    }

    /** What backends opened from now on take for the time. */
    void time(TtlTimeProvider provider) {
        time = provider;
    }

    <K> AbstractKeyedStateBackend<K> open(
            AbstractStateBackend backend, TypeSerializer<K> keySerializer, Collection<KeyedStateHandle> handles)
            throws IOException {
        return open(backend, keySerializer, new KeyGroupRange(0, keyGroupCount - 1), handles);
    }

    <K> AbstractKeyedStateBackend<K> open(
            AbstractStateBackend backend,
            TypeSerializer<K> keySerializer,
            KeyGroupRange keyGroups,
            Collection<KeyedStateHandle> handles)
            throws IOException {
        return backend.createKeyedStateBackend(parameters(keySerializer, keyGroups, handles));
    }

    /** One of which nothing is tried again, or given up, because a machine is slow. */
    <K> AbstractKeyedStateBackend<K> openInSlowTime(
            Configuration options, TypeSerializer<K> keySerializer, Collection<KeyedStateHandle> handles)
            throws IOException {
        return openIn(new SlowTime(), options, keySerializer, handles);
    }

    <K> AbstractKeyedStateBackend<K> openIn(
            SlowTime slow, Configuration options, TypeSerializer<K> keySerializer, Collection<KeyedStateHandle> handles)
            throws IOException {
        return new SurroundedBackend()
                .time(slow)
                .open(options, parameters(keySerializer, new KeyGroupRange(0, keyGroupCount - 1), handles));
    }

    <K> KeyedStateBackendParametersImpl<K> parameters(
            TypeSerializer<K> keySerializer, KeyGroupRange keyGroups, Collection<KeyedStateHandle> handles) {
        return new KeyedStateBackendParametersImpl<>(
                environment,
                new JobID(),
                "operator (1/1)",
                keySerializer,
                keyGroupCount,
                keyGroups,
                environment.getTaskKvStateRegistry(),
                time,
                metrics,
                handles,
                new CloseableRegistry());
    }

    KeyedStateHandle checkpoint(AbstractKeyedStateBackend<?> backend, long id) throws Exception {
        return snapshot(backend, id, CheckpointOptions.forCheckpointWithDefaultLocation());
    }

    /** A checkpoint that completes; it can be restored even if it refers to files of earlier ones. */
    KeyedStateHandle completed(AbstractKeyedStateBackend<?> backend) throws Exception {
        return complete(backend, checkpoint(backend, ++lastCompleted));
    }

    /** The same, and it uploads everything anew. */
    KeyedStateHandle completedFull(AbstractKeyedStateBackend<?> backend) throws Exception {
        return complete(backend, fullCheckpoint(backend, ++lastCompleted));
    }

    private KeyedStateHandle complete(AbstractKeyedStateBackend<?> backend, KeyedStateHandle handle) throws Exception {
        handle.registerSharedStates(registry, lastCompleted);
        registry.checkpointCompleted(lastCompleted);
        backend.notifyCheckpointComplete(lastCompleted);
        return handle;
    }

    KeyedStateHandle snapshot(AbstractKeyedStateBackend<?> backend, long id, CheckpointOptions options)
            throws Exception {
        return finish(backend.snapshot(id, id, streams, options));
    }

    /** A checkpoint that uploads everything anew. */
    KeyedStateHandle fullCheckpoint(AbstractKeyedStateBackend<?> backend, long id) throws Exception {
        return finish(backend.snapshot(
                id,
                id,
                streams,
                new CheckpointOptions(
                        CheckpointType.FULL_CHECKPOINT, CheckpointStorageLocationReference.getDefault())));
    }

    <K> KeyedStateHandle canonicalSavepoint(AbstractKeyedStateBackend<K> backend, long id) throws Exception {
        SavepointResources<K> resources = backend.savepoint();
        return finish(new SnapshotStrategyRunner<>(
                        "savepoint",
                        new SavepointSnapshotStrategy<>(resources.getSnapshotResources()),
                        new CloseableRegistry(),
                        resources.getPreferredSnapshotExecutionType())
                .snapshot(
                        id,
                        id,
                        streams,
                        new CheckpointOptions(
                                SavepointType.savepoint(SavepointFormatType.CANONICAL),
                                CheckpointStorageLocationReference.getDefault())));
    }

    /** Files of a checkpoint that an earlier one has uploaded. */
    static long referred(KeyedStateHandle handle) {
        return handle instanceof IncrementalRemoteKeyedStateHandle files
                ? files.getSharedState().stream()
                        .filter(file -> file.getHandle() instanceof PlaceholderStreamStateHandle)
                        .count()
                : 0;
    }

    private static KeyedStateHandle finish(RunnableFuture<SnapshotResult<KeyedStateHandle>> future) throws Exception {
        future.run();
        return future.get().getJobManagerOwnedSnapshot();
    }

    @Override
    public void close() {
        try {
            environment.close();
        } catch (Exception e) {
            throw new IllegalStateException("the environment could not be closed", e);
        }
    }

    /** The local copy of a checkpoint, as local recovery keeps it. */
    static IncrementalLocalKeyedStateHandle localCopy(IncrementalRemoteKeyedStateHandle handle, Path to)
            throws IOException {
        for (HandleAndLocalPath file : handle.getSharedState()) {
            Files.write(
                    to.resolve(file.getLocalPath()),
                    file.getHandle().asBytesIfInMemory().orElseThrow());
        }
        return new IncrementalLocalKeyedStateHandle(
                handle.getBackendIdentifier(),
                handle.getCheckpointId(),
                DirectoryStateHandle.forPathWithSize(to),
                handle.getKeyGroupRange(),
                handle.getMetaDataStateHandle(),
                handle.getSharedState());
    }
}
