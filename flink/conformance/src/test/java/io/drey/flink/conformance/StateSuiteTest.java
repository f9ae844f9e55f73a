package io.drey.flink.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.StateBackendTestBase;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameter;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flink's suite for keyed state: every kind of state, snapshots, rescaling, key groups, serializers, queryable state.
 */
@ExtendWith(ParameterizedTestExtension.class)
class StateSuiteTest extends StateBackendTestBase<AbstractStateBackend> {

    @TempDir
    private Path directory;

    @Parameter
    private StorageUnderTest storage;

    @Parameters(name = "checkpoints in {0}")
    static List<StorageUnderTest> storages() {
        return List.of(StorageUnderTest.values());
    }

    @Override
    protected ConfigurableStateBackend getStateBackend() throws IOException {
        return (ConfigurableStateBackend) BackendUnderTest.selected().create();
    }

    @Override
    protected CheckpointStorage getCheckpointStorage() {
        return storage.create(directory);
    }

    @Override
    protected boolean isSerializerPresenceRequiredOnRestore() {
        return BackendUnderTest.selected().needsSerializersOnRestore();
    }

    @Override
    protected boolean supportsAsynchronousSnapshots() {
        return true;
    }

    @Override
    protected boolean isSafeToReuseKVState() {
        return BackendUnderTest.selected().returnsCopies();
    }
}
