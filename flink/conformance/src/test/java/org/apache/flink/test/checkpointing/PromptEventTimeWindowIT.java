package org.apache.flink.test.checkpointing;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;

/**
 * Flink's suite of event-time windows, each with a failure in the middle, recovered from the local copy of the
 * checkpoint. As it is, the suite has the resource manager wait for 30 s before each of its clusters starts a job; here
 * it does not.
 */
class PromptEventTimeWindowIT extends EventTimeWindowCheckpointingITCase {

    /** Hides the base's: the backend under test with and without incremental checkpoints, not Flink's own. */
    @Parameters
    static List<StateBackendEnum> parameter() {
        return List.of(StateBackendEnum.ROCKSDB_FULL, StateBackendEnum.ROCKSDB_INCREMENTAL_ZK);
    }

    @Override
    protected Configuration createClusterConfig() throws IOException {
        Configuration config = super.createClusterConfig();
        config.set(ResourceManagerOptions.REQUIREMENTS_CHECK_DELAY, Duration.ofMillis(50));
        config.set(CheckpointingOptions.LOCAL_BACKUP_ENABLED, true);
        config.set(StateRecoveryOptions.LOCAL_RECOVERY, true);
        return config;
    }
}
