package io.drey.flink.state.keyed;

import io.drey.flink.state.canonical.CanonicalSnapshot;
import io.drey.flink.state.canonical.CanonicalSnapshot.CanonicalFormat;
import io.drey.flink.state.memory.StoreLease;
import io.drey.flink.state.metric.CheckpointMetrics;
import io.drey.flink.state.metric.DirectoryMetrics;
import io.drey.flink.state.metric.MetricSink;
import io.drey.flink.state.metric.ObjectCacheMetrics;
import io.drey.flink.state.metric.RestoreMetrics;
import io.drey.flink.state.metric.RetentionMetrics;
import io.drey.flink.state.metric.StateMetrics;
import io.drey.flink.state.metric.StoreMetrics;
import io.drey.flink.state.options.MetricLevel;
import io.drey.flink.state.restore.RestoredBackend;
import io.drey.flink.state.retention.Janitor;
import io.drey.flink.state.snapshot.CheckpointFuture;
import io.drey.flink.state.snapshot.CheckpointStrategy;
import io.drey.flink.state.table.CurrentKey;
import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.task.DeferredDispose;
import io.drey.flink.state.task.PinnedSnapshot;
import io.drey.flink.state.task.TaskThread;
import io.drey.flink.state.timer.TimerQueues;
import io.drey.flink.state.watch.BackendListener;
import io.drey.flink.state.watch.BackendWatch;
import io.drey.keyed.cache.ObjectCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.query.TaskKvStateRegistry;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.InternalKeyContext;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PriorityComparable;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SnapshotExecutionType;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueElement;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * The keyed state of one operator subtask, in one store. The task's thread calls everything, or threads of the
 * operator's in its place ({@link TaskThread}); {@link #close()} comes from other threads too, when a task is
 * cancelled: then it ends what can wait, and the memory is freed by {@link #dispose()}, or after the task's thread has
 * ended.
 */
final class DreyKeyedStateBackend<K> extends AbstractKeyedStateBackend<K> {
    private final TaskThread task;
    private final StoreLease lease;
    private final RestoredBackend restored;
    private final CheckpointStrategy<K> checkpoints;
    private final CurrentKey<K> currentKey;
    private final KeyedStore<K> keyedStore;
    private final StateRegistration<K> registration;
    private final TimerQueues timers;
    private final KeyStreams<K> keyStreams;
    private final StoreMetrics metrics;
    private final BackendWatch watch;
    private final Janitor janitor;
    private final DeferredDispose release;

    /** Arguments of the constructor of Flink's own backend class. */
    record FlinkParts<K>(
            TaskKvStateRegistry kvStateRegistry,
            TypeSerializer<K> keySerializer,
            ClassLoader classLoader,
            ExecutionConfig executionConfig,
            TtlTimeProvider time,
            LatencyTrackingStateConfig latencyTracking,
            SizeTrackingStateConfig sizeTracking,
            CloseableRegistry cancellation,
            StreamCompressionDecorator compression,
            InternalKeyContext<K> keyContext,
            MetricGroup metrics) {}

    /**
     * The numbers of objects that are kept on the heap.
     *
     * @param timers next timers, per queue
     * @param objects values in the object cache
     */
    record CacheSizes(int timers, int objects) {}

    /**
     * The side of the backend that users see.
     *
     * @param metrics how many metrics
     * @param stateHistograms whether each state has histograms in any case
     * @param youngRunsMax young runs at which a compaction is due
     * @param listener is warned of signs of trouble
     * @param janitor looks after the directory of checkpoints
     */
    record LookOut(
            String operator,
            MetricLevel metrics,
            boolean stateHistograms,
            int youngRunsMax,
            BackendListener listener,
            Janitor janitor) {}

    DreyKeyedStateBackend(
            FlinkParts<K> flink,
            TaskThread task,
            StoreLease lease,
            RestoredBackend restored,
            CheckpointStrategy<K> checkpoints,
            CacheSizes cacheSizes,
            LookOut lookOut) {
        super(
                flink.kvStateRegistry(),
                flink.keySerializer(),
                flink.classLoader(),
                flink.executionConfig(),
                flink.time(),
                flink.latencyTracking(),
                flink.sizeTracking(),
                flink.cancellation(),
                flink.compression(),
                flink.keyContext());
        this.task = task;
        this.lease = lease;
        this.restored = restored;
        this.checkpoints = checkpoints;
        this.currentKey = new CurrentKey<>(flink.keySerializer());
        this.keyedStore = new KeyedStore<>(
                restored.store(),
                currentKey,
                task,
                numberOfKeyGroups,
                new ObjectCache(cacheSizes.objects(), lease.clock(), ObjectCache.HEAP));
        MetricSink drey = new MetricSink(flink.metrics().addGroup("drey"), lookOut.metrics());
        this.registration = new StateRegistration<>(
                keyedStore,
                restored.tables(),
                new StateMigration(restored.store(), keyGroupRange, flink.time()),
                new StateMetrics(drey, lookOut.stateHistograms()),
                new StateExpiry(flink.time(), flink.classLoader()));
        this.timers = new TimerQueues(
                restored.store(),
                restored.tables(),
                keyGroupRange,
                numberOfKeyGroups,
                cacheSizes.timers(),
                task.lock());
        this.keyStreams =
                new KeyStreams<>(restored.store(), restored.tables(), keyGroupRange, flink.keySerializer(), task);
        this.metrics = new StoreMetrics(restored.store(), lease.memory(), checkpoints.io());
        metrics.register(drey);
        new DirectoryMetrics(lease.directory()).register(drey);
        new CheckpointMetrics(
                        checkpoints.preparation()::rounds,
                        checkpoints.preparation()::bytes,
                        checkpoints.preparation()::barrierErrorMillis,
                        checkpoints.secondAttempts()::begun,
                        checkpoints.secondAttempts()::won)
                .register(drey);
        new RestoreMetrics(restored.downloads(), restored.report().times().all()).register(drey);
        new ObjectCacheMetrics(keyedStore.objects()).register(drey);
        this.janitor = lookOut.janitor();
        new RetentionMetrics(janitor::deleted, janitor::left, restored.sharedFiles()::deletionsPending).register(drey);
        this.watch = BackendWatch.begin(
                lookOut.operator(),
                metrics::read,
                checkpoints.uploadTimes(),
                lease.directory(),
                lookOut.youngRunsMax(),
                lookOut.listener());
        this.release = new DeferredDispose(task, () -> task.end(this::releaseAll));
    }

    @Override
    public void setCurrentKey(K newKey) {
        super.setCurrentKey(newKey);
        currentKey.set(getCurrentKey(), getCurrentKeyGroupIndex());
    }

    @Override
    public void setCurrentKeyAndKeyGroup(K newKey, int newKeyGroupIndex) {
        super.setCurrentKeyAndKeyGroup(newKey, newKeyGroupIndex);
        currentKey.set(getCurrentKey(), getCurrentKeyGroupIndex());
    }

    @Override
    public <N, SV, SEV, S extends State, IS extends S> IS createOrUpdateInternalState(
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<S, SV> stateDesc,
            StateSnapshotTransformFactory<SEV> snapshotTransformFactory)
            throws Exception {
        return createOrUpdateInternalState(namespaceSerializer, stateDesc, snapshotTransformFactory, false);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <N, SV, SEV, S extends State, IS extends S> IS createOrUpdateInternalState(
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<S, SV> stateDesc,
            StateSnapshotTransformFactory<SEV> snapshotTransformFactory,
            boolean allowFutureMetadataUpdates)
            throws Exception {
        return (IS) task.alone(() -> registration.register(
                stateDesc, namespaceSerializer, snapshotTransformFactory, allowFutureMetadataUpdates));
    }

    @Override
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String stateName, TypeSerializer<T> byteOrderedElementSerializer) {
        return create(stateName, byteOrderedElementSerializer, false);
    }

    @Override
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String stateName,
                    TypeSerializer<T> byteOrderedElementSerializer,
                    boolean allowFutureMetadataUpdates) {
        return task.alone(() -> timers.create(stateName, byteOrderedElementSerializer, allowFutureMetadataUpdates));
    }

    /** Brings everything into the store, because it is read as a whole. */
    private void settle() {
        try {
            keyedStore.writeBack();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public <N> Stream<K> getKeys(String state, N namespace) {
        settle();
        return keyStreams.keys(List.of(state), namespace);
    }

    @Override
    public <N> Stream<K> getKeys(List<String> states, N namespace) {
        settle();
        return keyStreams.keys(states, namespace);
    }

    @Override
    public <N> Stream<Tuple2<K, N>> getKeysAndNamespaces(String state) {
        settle();
        return keyStreams.keysAndNamespaces(state);
    }

    @Override
    public int numKeyValueStateEntries() {
        settle();
        int count = 0;
        for (StateTable table : restored.tables().all()) {
            count += table.isKeyValue() ? keyStreams.count(table) : 0;
        }
        return count;
    }

    @Override
    public RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot(
            long checkpointId,
            long timestamp,
            CheckpointStreamFactory streamFactory,
            CheckpointOptions checkpointOptions)
            throws Exception {
        return task.alone(() -> {
            keyedStore.writeBack();
            timers.beforeCheckpoint();
            return new CheckpointFuture(
                    checkpoints,
                    new CheckpointFuture.Request(checkpointId, timestamp, streamFactory, checkpointOptions),
                    cancelStreamRegistry);
        });
    }

    @Override
    public SavepointResources<K> savepoint() {
        CanonicalFormat<K> format =
                new CanonicalFormat<>(keyGroupRange, numberOfKeyGroups, keySerializer, keyGroupCompressionDecorator);
        return task.alone(() -> {
            settle();
            timers.beforeCanonicalSavepoint();
            return new SavepointResources<>(
                    new CanonicalSnapshot<>(
                            PinnedSnapshot.take(restored.store(), lease.directory()), restored.tables(), format),
                    SnapshotExecutionType.ASYNCHRONOUS);
        });
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        restored.sharedFiles().confirm(checkpointId);
        janitor.completed(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) {
        restored.sharedFiles().abort(checkpointId);
    }

    /** Nothing comes back as the object that was put in, unless nobody can change it; keys are kept as bytes. */
    @Override
    public boolean isSafeToReuseKVState() {
        return true;
    }

    /**
     * Flink's SQL operators ask this name whether maps are iterated in byte order of their keys, and take a faster way
     * then; {@code docs/decisions/0010-backend-type-identifier.md} tells more.
     */
    @Override
    public String getBackendTypeIdentifier() {
        return StateBackendLoader.ROCKSDB_STATE_BACKEND_NAME;
    }

    @Override
    public void close() throws IOException {
        super.close();
        release.releaseSoon();
    }

    @Override
    public void dispose() {
        super.dispose();
        release.release();
    }

    private void releaseAll() {
        try {
            keyedStore.objects().close();
            timers.close();
            watch.close();
            janitor.close();
            metrics.close();
            // The store waits for all scans before it frees what they read.
            keyStreams.close();
        } finally {
            try {
                checkpoints.close();
            } finally {
                lease.close();
            }
        }
    }
}
