package io.drey.flink.conformance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.TestTaskStateManager;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** Subtasks of a job under Flink's changelog, one after another; nothing is materialized. Keys are integers. */
final class ChangelogSubtasks {
    static final int KEY_GROUPS = 2;

    private static final int STATE_BYTES_MAX = 1 << 20;

    private final Path directory;
    private final JobID job = new JobID();
    private long checkpoints;

    ChangelogSubtasks(Path directory) {
        this.directory = directory;
    }

    CheckpointableKeyedStateBackend<Integer> open(
            BackendUnderTest backend,
            ChangelogUnderTest changelog,
            KeyGroupRange keyGroups,
            List<KeyedStateHandle> parents)
            throws Exception {
        MockEnvironment environment = MockEnvironment.builder()
                .setTaskStateManager(TestTaskStateManager.builder()
                        .setStateChangelogStorage(changelog.create(job, directory))
                        .build())
                .build();
        environment.setCheckpointStorageAccess(new JobManagerCheckpointStorage().createCheckpointStorage(job));
        List<KeyedStateHandle> cut = new ArrayList<>();
        parents.forEach(parent -> cut.add(parent.getIntersection(keyGroups)));
        return backend.createUnderChangelog()
                .createKeyedStateBackend(new KeyedStateBackendParametersImpl<>(
                        environment,
                        job,
                        "operator",
                        IntSerializer.INSTANCE,
                        KEY_GROUPS,
                        keyGroups,
                        environment.getTaskKvStateRegistry(),
                        TtlTimeProvider.DEFAULT,
                        new UnregisteredMetricsGroup(),
                        cut,
                        new CloseableRegistry()));
    }

    /** The last thing that a subtask does. */
    KeyedStateHandle checkpoint(CheckpointableKeyedStateBackend<Integer> backend) throws Exception {
        checkpoints++;
        RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot = backend.snapshot(
                checkpoints,
                checkpoints,
                new MemCheckpointStreamFactory(STATE_BYTES_MAX),
                CheckpointOptions.forCheckpointWithDefaultLocation());
        snapshot.run();
        KeyedStateHandle handle = snapshot.get().getJobManagerOwnedSnapshot();
        backend.dispose();
        return handle;
    }
}
