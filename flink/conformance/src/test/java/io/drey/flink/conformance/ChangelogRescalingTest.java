package io.drey.flink.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.TestTaskStateManager;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A defect of Flink's changelog wrapper, with any backend under it: after a change of parallelism both new subtasks
 * carry the whole log of before on, and after the next change all of it is applied for each of them, also over what
 * came later. {@code StateChangelogHandleStreamHandleReader} reads past the key groups of its handle, and
 * {@code ChangelogBackendLogApplier} asks only for those of the new backend. When the first test fails, Flink has mended it.
 */
class ChangelogRescalingTest {
    private static final int KEY_GROUPS = 2;
    private static final KeyGroupRange ALL = KeyGroupRange.of(0, 1);
    private static final KeyGroupRange FIRST = KeyGroupRange.of(0, 0);
    private static final KeyGroupRange SECOND = KeyGroupRange.of(1, 1);
    private static final int STATE_BYTES_MAX = 1 << 20;

    @TempDir
    private Path directory;

    private final JobID job = new JobID();
    private long checkpoints;

    private CheckpointableKeyedStateBackend<Integer> open(
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

    private static ValueState<String> state(CheckpointableKeyedStateBackend<Integer> backend) throws Exception {
        int key = 0;
        while (KeyGroupRangeAssignment.assignToKeyGroup(key, KEY_GROUPS) != FIRST.getStartKeyGroup()) {
            key++;
        }
        backend.setCurrentKey(key);
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("state", StringSerializer.INSTANCE));
    }

    private KeyedStateHandle checkpoint(CheckpointableKeyedStateBackend<Integer> backend) throws Exception {
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

    private String afterTwoChangesOfParallelism(BackendUnderTest backend, ChangelogUnderTest changelog)
            throws Exception {
        CheckpointableKeyedStateBackend<Integer> one = open(backend, changelog, ALL, List.of());
        state(one).update("old");
        List<KeyedStateHandle> parents = List.of(checkpoint(one));
        CheckpointableKeyedStateBackend<Integer> first = open(backend, changelog, FIRST, parents);
        assertThat(state(first).value()).isEqualTo("old");
        state(first).update("new");
        CheckpointableKeyedStateBackend<Integer> second = open(backend, changelog, SECOND, parents);
        List<KeyedStateHandle> both = List.of(checkpoint(first), checkpoint(second));
        CheckpointableKeyedStateBackend<Integer> again = open(backend, changelog, ALL, both);
        String found = state(again).value();
        again.dispose();
        return found;
    }

    @ParameterizedTest
    @EnumSource(names = {"HASHMAP", "DREY"})
    void twoChangesOfParallelismBringBackWhatWasOverwritten(BackendUnderTest backend) throws Exception {
        assertThat(afterTwoChangesOfParallelism(backend, ChangelogUnderTest.FLINK))
                .isEqualTo("old");
    }

    @ParameterizedTest
    @EnumSource(names = {"HASHMAP", "DREY"})
    void withOurStorageTheyDoNot(BackendUnderTest backend) throws Exception {
        assertThat(afterTwoChangesOfParallelism(backend, ChangelogUnderTest.DREY))
                .isEqualTo("new");
    }
}
