package io.drey.flink.conformance;

import io.drey.flink.state.changelog.DreyChangelogStorageFactory;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.api.common.JobID;
import org.apache.flink.changelog.fs.ChangelogStorageMetricGroup;
import org.apache.flink.changelog.fs.FsStateChangelogStorage;
import org.apache.flink.changelog.fs.TaskChangelogRegistry;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.metrics.groups.TaskManagerJobMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.changelog.StateChangelogStorage;

/** Where Flink's changelog backend keeps its log. */
enum ChangelogUnderTest {
    FLINK {
        @Override
        StateChangelogStorage<?> create(JobID job, Path directory) throws IOException {
            return new FsStateChangelogStorage(
                    job,
                    org.apache.flink.core.fs.Path.fromLocalFile(directory.toFile()),
                    false,
                    BUFFER_BYTES,
                    new ChangelogStorageMetricGroup(metrics()),
                    TaskChangelogRegistry.NO_OP,
                    LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED);
        }
    },
    DREY {
        @Override
        StateChangelogStorage<?> create(JobID job, Path directory) throws IOException {
            Configuration configuration = new Configuration();
            configuration.set(
                    CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                    directory.toUri().toString());
            return new DreyChangelogStorageFactory()
                    .createStorage(job, configuration, metrics(), LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED);
        }
    };

    private static final int BUFFER_BYTES = 1024;

    private static TaskManagerJobMetricGroup metrics() {
        return UnregisteredMetricGroups.createUnregisteredTaskManagerJobMetricGroup();
    }

    abstract StateChangelogStorage<?> create(JobID job, Path directory) throws IOException;
}
