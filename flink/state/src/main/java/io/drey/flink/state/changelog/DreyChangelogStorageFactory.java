package io.drey.flink.state.changelog;

import java.io.IOException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.metrics.groups.TaskManagerJobMetricGroup;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.changelog.StateChangelogStorage;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageFactory;
import org.apache.flink.runtime.state.changelog.StateChangelogStorageView;

/** Makes Flink find the changelog storage by its name; a class that Flink loads as a service. */
public final class DreyChangelogStorageFactory implements StateChangelogStorageFactory {
    /** In handles of checkpoints, too: it never changes. */
    public static final String IDENTIFIER = "drey";

    @Override
    public String getIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public StateChangelogStorage<?> createStorage(
            JobID job,
            Configuration configuration,
            TaskManagerJobMetricGroup metrics,
            LocalRecoveryConfig localRecovery)
            throws IOException {
        return new DreyChangelogStorage(job, configuration, localRecovery.isLocalBackupEnabled(), metrics);
    }

    @Override
    public StateChangelogStorageView<?> createStorageView(Configuration configuration) {
        return new DreyChangelogView(configuration);
    }
}
