package io.drey.flink.conformance;

import java.io.IOException;
import java.util.List;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.StateBackendMigrationTestBase;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameter;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;
import org.junit.jupiter.api.extension.ExtendWith;

/** Flink's suite for serializers that change between a snapshot and its restore. */
@ExtendWith(ParameterizedTestExtension.class)
class MigrationSuiteTest extends StateBackendMigrationTestBase<AbstractStateBackend> {

    @Parameter
    private StorageUnderTest storage;

    @Parameters(name = "checkpoints in {0}")
    static List<StorageUnderTest> storages() {
        return List.of(StorageUnderTest.values());
    }

    @Override
    protected AbstractStateBackend getStateBackend() throws IOException {
        return BackendUnderTest.selected().create();
    }

    @Override
    protected CheckpointStorage getCheckpointStorage() {
        return storage.create(tempFolder);
    }
}
