package io.drey.flink.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.StateBackendTestBase;
import org.apache.flink.runtime.state.TestTaskStateManager;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameter;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The suite of {@link StateSuiteTest} again, with the backend wrapped in Flink's changelog backend, over Flink's log and over Drey's. */
@ExtendWith(ParameterizedTestExtension.class)
class ChangelogSuiteTest extends StateBackendTestBase<AbstractStateBackend> {

    @TempDir
    private static Path changelogDirectory;

    @TempDir
    private Path checkpointDirectory;

    @Parameter
    private StorageUnderTest storage;

    @Parameters(name = "checkpoints in {0}")
    static List<StorageUnderTest> storages() {
        return List.of(StorageUnderTest.values());
    }

    @Override
    protected ConfigurableStateBackend getStateBackend() throws Exception {
        return BackendUnderTest.selected().createUnderChangelog();
    }

    @Override
    protected CheckpointStorage getCheckpointStorage() {
        return storage.create(checkpointDirectory);
    }

    /**
     * As the base does it, but without a new checkpoint storage for the environment: the changelog keeps writing to the
     * old one.
     */
    @Override
    protected <K> CheckpointableKeyedStateBackend<K> createKeyedBackend(
            TypeSerializer<K> keySerializer, int keyGroups, KeyGroupRange range, Environment environment)
            throws Exception {
        return getStateBackend()
                .createKeyedStateBackend(new KeyedStateBackendParametersImpl<>(
                        environment,
                        new JobID(),
                        "operator",
                        keySerializer,
                        keyGroups,
                        range,
                        environment.getTaskKvStateRegistry(),
                        TtlTimeProvider.DEFAULT,
                        new UnregisteredMetricsGroup(),
                        List.of(),
                        new CloseableRegistry()));
    }

    @Override
    protected TestTaskStateManager getTestTaskStateManager() throws IOException {
        return TestTaskStateManager.builder()
                .setStateChangelogStorage(storage.changelog().create(new JobID(), changelogDirectory))
                .build();
    }

    @Override
    protected boolean isSerializerPresenceRequiredOnRestore() {
        return BackendUnderTest.selected().needsSerializersOnRestore();
    }

    @Override
    protected boolean supportsAsynchronousSnapshots() {
        return true;
    }

    /** The changelog writes to a storage of its own. */
    @Override
    protected boolean snapshotUsesStreamFactory() {
        return false;
    }

    /** The changelog reads serializers from its log only when a state is used. */
    @Override
    protected boolean supportsMetaInfoVerification() {
        return false;
    }

    /** The wrapper's answer, whatever the backend's. */
    @Override
    protected boolean isSafeToReuseKVState() {
        return true;
    }
}
