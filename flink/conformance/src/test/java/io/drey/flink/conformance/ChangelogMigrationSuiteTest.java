package io.drey.flink.conformance;

import java.util.List;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendMigrationTestBase;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameter;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;
import org.junit.jupiter.api.extension.ExtendWith;

/** The suite of {@link MigrationSuiteTest} again, with the backend wrapped in Flink's changelog backend. */
@ExtendWith(ParameterizedTestExtension.class)
class ChangelogMigrationSuiteTest extends StateBackendMigrationTestBase<StateBackend> {

    @Parameter
    private StorageUnderTest storage;

    @Parameters(name = "checkpoints in {0}")
    static List<StorageUnderTest> storages() {
        return List.of(StorageUnderTest.values());
    }

    @Override
    protected StateBackend getStateBackend() throws Exception {
        return BackendUnderTest.selected().createUnderChangelog();
    }

    @Override
    protected CheckpointStorage getCheckpointStorage() {
        return storage.create(tempFolder);
    }

    /** The changelog does not check the key serializer on restore. */
    @Override
    protected boolean supportsKeySerializerCheck() {
        return false;
    }
}
