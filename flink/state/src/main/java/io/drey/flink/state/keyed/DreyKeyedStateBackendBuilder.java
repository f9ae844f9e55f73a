package io.drey.flink.state.keyed;

import io.drey.files.IoCounts;
import io.drey.files.remote.Downloads;
import io.drey.flink.state.memory.StoreLease;
import io.drey.flink.state.memory.Surroundings;
import io.drey.flink.state.options.DreySettings;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.restore.BackendRestore;
import io.drey.flink.state.restore.RestoreReport;
import io.drey.flink.state.restore.RestoredBackend;
import io.drey.flink.state.retention.ForeignFiles;
import io.drey.flink.state.retention.Janitor;
import io.drey.flink.state.snapshot.CheckpointStrategy;
import io.drey.flink.state.snapshot.FileNaming;
import io.drey.flink.state.snapshot.LocalCopies;
import io.drey.flink.state.task.DeferredDispose;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.TaskThread;
import io.drey.flink.state.watch.BackendListener;
import io.drey.foundation.Arena;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.metrics.MetricNames;
import org.apache.flink.runtime.state.AbstractKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.InternalKeyContextImpl;
import org.apache.flink.runtime.state.StateBackend.CustomInitializationMetrics;
import org.apache.flink.runtime.state.StateBackend.KeyedStateBackendParameters;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStorageAccess;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.util.IOUtils;

/**
 * Builds a keyed backend in the task's thread: takes what it needs on lease, restores, and on failure gives all back.
 */
public final class DreyKeyedStateBackendBuilder<K> extends AbstractKeyedStateBackendBuilder<K> {
    private final KeyedStateBackendParameters<K> parameters;
    private final DreySettings settings;
    private final BackendListener listener;
    private final Surroundings surroundings;

    public DreyKeyedStateBackendBuilder(
            KeyedStateBackendParameters<K> parameters,
            DreySettings settings,
            LatencyTrackingStateConfig latencyTracking,
            SizeTrackingStateConfig sizeTracking,
            BackendListener listener,
            Surroundings surroundings) {
        super(
                parameters.getKvStateRegistry(),
                parameters.getKeySerializer(),
                parameters.getEnv().getUserCodeClassLoader().asClassLoader(),
                parameters.getNumberOfKeyGroups(),
                parameters.getKeyGroupRange(),
                parameters.getEnv().getExecutionConfig(),
                parameters.getTtlTimeProvider(),
                latencyTracking,
                sizeTracking,
                parameters.getStateHandles(),
                AbstractStateBackend.getCompressionDecorator(parameters.getEnv().getExecutionConfig()),
                parameters.getCancelStreamRegistry());
        this.parameters = parameters;
        this.settings = settings;
        this.listener = listener;
        this.surroundings = surroundings;
    }

    @Override
    public DreyKeyedStateBackend<K> build() throws BackendBuildingException {
        DeferredDispose.releaseLost();
        StoreLease lease = null;
        CloseableRegistry backendCancellation = new CloseableRegistry();
        Downloads downloads = new Downloads(
                surroundings.downloads(),
                surroundings.clock(),
                new RestoreEnd(parameters.getEnv(), parameters.getOperatorIdentifier(), listener));
        try {
            backendCancellation.registerCloseable(downloads);
            TaskThread task = TaskThread.current(parameters.getEnv());
            boolean inline = !restoreStateHandles.isEmpty() && runsInline(executor());
            // State Processor reads everything, once, and each range would be fetched within the one before, until the
            // stack is full.
            boolean lazy = settings.restoreLazy() && !restoreStateHandles.isEmpty() && !inline;
            claimRestored();
            lease = acquire(task);
            RestoredBackend restored = new BackendRestore<>(
                            lease, target(inline, lazy, downloads), cancelStreamRegistry)
                    .restore(restoreStateHandles);
            DreyKeyedStateBackend<K> backend = new DreyKeyedStateBackend<>(
                    flinkParts(backendCancellation),
                    task,
                    lease,
                    restored,
                    checkpoints(task, lease, restored),
                    new DreyKeyedStateBackend.CacheSizes(settings.timerCacheSize(), settings.objectCacheEntries()),
                    new DreyKeyedStateBackend.LookOut(
                            parameters.getOperatorIdentifier(),
                            settings.metrics(),
                            settings.stateHistograms(),
                            settings.youngRunsMax(),
                            listener,
                            janitor(restored)));
            tell(lease, restored.report());
            return backend;
        } catch (Throwable e) {
            IOUtils.closeQuietly(backendCancellation);
            giveBack(lease, e);
            throw failure(e);
        }
    }

    /**
     * Under Flink's changelog checkpoints list what was restored until it is materialized, and none of them asks this
     * backend.
     */
    private void claimRestored() {
        Environment environment = parameters.getEnv();
        if (hasChangelog(environment) && checkpointStorage(environment) instanceof FsCheckpointStorageAccess files) {
            ForeignFiles.claim(restoreStateHandles, files.getSharedStateDirectory());
        }
    }

    private static boolean hasChangelog(Environment environment) {
        return environment
                .getJobConfiguration()
                .getOptional(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG)
                .orElse(environment
                        .getTaskManagerInfo()
                        .getConfiguration()
                        .get(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG));
    }

    private void tell(StoreLease lease, RestoreReport report) {
        String operator = parameters.getOperatorIdentifier();
        InstanceDirectory directory = lease.directory();
        List<String> directories = new ArrayList<>();
        for (int i = 0; i < directory.parts().size(); i++) {
            directories.add(directory.places().get(i) + ": "
                    + directory.parts().get(i).path().getParent());
        }
        Arena arena = lease.memory().arena();
        listener.opened(new BackendListener.Opened(
                operator, settings.text(), arena.bytes(), arena.pageBytes(), directories, report));
        for (String unusable : directory.unusable()) {
            listener.warned(operator + ": the local directory " + unusable
                    + " is not used, because nothing can be made in it.");
        }
        if (report.source() != RestoreReport.Source.NOTHING) {
            CustomInitializationMetrics metrics = parameters.getCustomInitializationMetrics();
            metrics.addMetric(
                    MetricNames.DOWNLOAD_STATE_DURATION,
                    TimeUnit.NANOSECONDS.toMillis(
                            report.times().manifests() + report.times().files()));
            metrics.addMetric(
                    MetricNames.RESTORE_STATE_DURATION,
                    TimeUnit.NANOSECONDS.toMillis(report.times().store()));
        }
    }

    private StoreLease acquire(TaskThread task) throws IOException {
        Environment environment = parameters.getEnv();
        List<File> directories = settings.localDirectories().isEmpty()
                ? List.of(environment.getTaskManagerInfo().getTmpWorkingDirectory())
                : settings.localDirectories().stream().map(File::new).toList();
        InstanceDirectory directory = InstanceDirectory.create(
                directories,
                settings.localDirectoriesRequired(),
                environment.getJobID(),
                parameters.getOperatorIdentifier(),
                settings.directIo(),
                new InstanceDirectory.Disks(surroundings.disks(), surroundings.clock()));
        return StoreLease.acquire(
                task,
                settings,
                directory,
                surroundings,
                environment.getMemoryManager(),
                parameters.getManagedMemoryFraction());
    }

    private Executor executor() {
        return parameters.getEnv().getIOManager().getExecutorService();
    }

    /** Whether it runs in the calling thread, as State Processor's does. */
    private static boolean runsInline(Executor executor) {
        AtomicLong ran = new AtomicLong();
        executor.execute(() -> ran.set(Thread.currentThread().getId()));
        return ran.get() == Thread.currentThread().getId();
    }

    /** Where Flink's threads are the calling one, files would wait for each other. */
    private BackendRestore.Target<K> target(boolean inline, boolean lazy, Downloads downloads) {
        return new BackendRestore.Target<>(
                keyGroupRange,
                numberOfKeyGroups,
                keySerializerProvider,
                userCodeClassLoader,
                executor(),
                inline || lazy ? surroundings.restores() : executor(),
                settings.transferThreads(),
                lazy,
                downloads,
                surroundings.trust());
    }

    private CheckpointStrategy<K> checkpoints(TaskThread task, StoreLease lease, RestoredBackend restored) {
        UUID backendId = UUID.randomUUID();
        Environment environment = parameters.getEnv();
        Packs.Task attempt = new Packs.Task(environment.getJobID(), environment.getExecutionId());
        return new CheckpointStrategy<>(
                restored.store(),
                restored.tables(),
                lease.directory(),
                restored.sharedFiles(),
                task,
                new CheckpointStrategy.Config<>(
                        backendId,
                        restored.generation(),
                        keyGroupRange,
                        keySerializer(),
                        settings.incremental(),
                        settings.incremental() && settings.continuousCheckpoints()
                                ? surroundings.preparedNanosMin()
                                : Long.MAX_VALUE,
                        new LocalCopies(
                                environment.getTaskStateManager().createLocalRecoveryConfig(),
                                surroundings.trust().name(backendId),
                                surroundings.time()),
                        executor(),
                        surroundings.uploads(),
                        settings.transferThreads(),
                        new FileNaming(backendId, attempt, settings.inlineBytesMax()),
                        surroundings.packs(),
                        new IoCounts(),
                        surroundings.time()));
    }

    /** One is enough for an operator; under Flink's changelog its numbers are those of materializations. */
    private Janitor janitor(RestoredBackend restored) {
        Environment environment = parameters.getEnv();
        return environment.getTaskInfo().getIndexOfThisSubtask() != 0 || hasChangelog(environment)
                ? Janitor.none()
                : Janitor.of(
                        checkpointStorage(environment),
                        executor(),
                        surroundings.time(),
                        restored.report().source() != RestoreReport.Source.NOTHING,
                        sentence -> listener.warned(parameters.getOperatorIdentifier() + ": " + sentence + "."));
    }

    /** The storage of the task's checkpoints, or null if its environment has none. */
    private static CheckpointStorageAccess checkpointStorage(Environment environment) {
        try {
            return environment.getCheckpointStorageAccess();
        } catch (UnsupportedOperationException | NullPointerException e) {
            // How an environment says that it has none.
            return null;
        }
    }

    /** The serializer of now; a restore may have reconfigured it. */
    private TypeSerializer<K> keySerializer() {
        return keySerializerProvider.currentSchemaSerializer();
    }

    private DreyKeyedStateBackend.FlinkParts<K> flinkParts(CloseableRegistry backendCancellation) {
        return new DreyKeyedStateBackend.FlinkParts<>(
                kvStateRegistry,
                keySerializer(),
                userCodeClassLoader,
                executionConfig,
                ttlTimeProvider,
                latencyTrackingStateConfig,
                sizeTrackingStateConfig,
                backendCancellation,
                keyGroupCompressionDecorator,
                new InternalKeyContextImpl<>(keyGroupRange, numberOfKeyGroups),
                parameters.getMetricGroup() == null ? new UnregisteredMetricsGroup() : parameters.getMetricGroup());
    }

    private static void giveBack(StoreLease lease, Throwable cause) {
        if (lease != null) {
            try {
                lease.close();
            } catch (RuntimeException e) {
                cause.addSuppressed(e);
            }
        }
    }

    private BackendBuildingException failure(Throwable cause) {
        if (cancelStreamRegistry.isClosed()) {
            return new BackendBuildingException("Task was cancelled", new CancelTaskException(cause));
        }
        if (cause instanceof BackendBuildingException known) {
            return known;
        }
        String sentence = "the keyed state of " + parameters.getOperatorIdentifier() + " could not be opened: "
                + cause.getMessage();
        listener.failed(sentence);
        return new BackendBuildingException(sentence, cause);
    }
}
