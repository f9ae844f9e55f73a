package io.drey.flink.conformance;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.v2.StateBackendTestV2Base;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameter;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flink's suite for backends that answer asynchronously. It skips itself as long as the backend does not offer that,
 * and runs from the day it does.
 */
@ExtendWith(ParameterizedTestExtension.class)
class AsyncSuiteTest extends StateBackendTestV2Base<AbstractStateBackend> {

    @TempDir
    private Path directory;

    @Parameter(0)
    private StorageUnderTest storage;

    /** Whether the restored job keeps its id, as after a failure, or gets a new one, as after a resubmission. */
    @Parameter(1)
    private boolean restoredUnderSameId;

    @Parameters(name = "checkpoints in {0}, restored under the same job id: {1}")
    static List<Object[]> modes() {
        return Stream.of(StorageUnderTest.values())
                .flatMap(storage -> Stream.of(new Object[] {storage, true}, new Object[] {storage, false}))
                .toList();
    }

    @BeforeEach
    void needsAnAsynchronousBackend() throws IOException {
        AbstractStateBackend backend = BackendUnderTest.selected().create();
        assumeThat(backend.supportsAsyncKeyedStateBackend())
                .as("%s answers asynchronously", backend.getName())
                .isTrue();
    }

    @Override
    protected ConfigurableStateBackend getStateBackend() throws IOException {
        return (ConfigurableStateBackend) BackendUnderTest.selected().create();
    }

    @Override
    protected void restoreJob() throws Exception {
        if (!restoredUnderSameId) {
            jobID = new org.apache.flink.api.common.JobID();
            env = buildMockEnv();
        }
    }

    @Override
    protected CheckpointStorage getCheckpointStorage() {
        return storage.create(directory);
    }
}
