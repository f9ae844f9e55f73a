package io.drey.bench.cell;

import io.drey.bench.metric.MetricBoardReporterFactory;
import io.drey.bench.result.CellSpec;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/** Flink's configuration of a cell: the same for all contenders, with the contender's own options on top. */
final class CellFlinkSettings {
    /** Enough buffers for the exchange of one subtask, and little beside the managed memory. */
    private static final MemorySize NETWORK = MemorySize.ofMebiBytes(32);

    /** From these the checkpoints of a cell are read in the end. */
    private static final int CHECKPOINTS_REMEMBERED = 10_000;

    /** A slow checkpoint is a figure to be reported, not a failure. */
    private static final Duration CHECKPOINT_TIMEOUT = Duration.ofMinutes(30);

    /** Long collections of garbage are to be measured, not to lose the task manager. */
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofHours(1);

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(1);

    private static final String CHANGELOG_ENABLED = "state.changelog.enabled";
    private static final String CHANGELOG_PATH = "state.changelog.dstl.dfs.base-path";

    private CellFlinkSettings() {}

    /**
     * @param temporary directory for what is not the state backend's
     */
    static Configuration of(CellSpec spec, Path temporary) {
        Configuration configuration = new Configuration();
        cluster(configuration, spec, temporary);
        checkpoints(configuration, spec);
        configuration.setString("metrics.reporters", "board");
        configuration.setString("metrics.reporter.board.factory.class", MetricBoardReporterFactory.class.getName());
        if (changelog(spec)) {
            Path changelog = Path.of(spec.places().checkpoints()).resolve("changelog");
            configuration.setString(CHANGELOG_PATH, changelog.toUri().toString());
        }
        spec.configuration().forEach(configuration::setString);
        return configuration;
    }

    private static boolean changelog(CellSpec spec) {
        return Boolean.parseBoolean(spec.configuration().get(CHANGELOG_ENABLED));
    }

    private static void cluster(Configuration configuration, CellSpec spec, Path temporary) {
        String local = Path.of(spec.places().local()).toAbsolutePath().toString();
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, 1);
        configuration.set(CoreOptions.TMP_DIRS, temporary.toString());
        configuration.set(ClusterOptions.PROCESS_WORKING_DIR_BASE, local);
        configuration.set(
                TaskManagerOptions.MANAGED_MEMORY_SIZE,
                new MemorySize(spec.memory().managedBytes()));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT);
        configuration.set(ClusterOptions.CLUSTER_SERVICES_SHUTDOWN_TIMEOUT, SHUTDOWN_TIMEOUT);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(RestOptions.BIND_ADDRESS, "localhost");
        configuration.set(WebOptions.SUBMIT_ENABLE, false);
    }

    private static void checkpoints(Configuration configuration, CellSpec spec) {
        configuration.set(
                CheckpointingOptions.CHECKPOINTING_INTERVAL,
                Duration.ofMillis(spec.time().checkpointIntervalMs()));
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, CHECKPOINT_TIMEOUT);
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, CHECKPOINTS_REMEMBERED);
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY, uri(spec.places().checkpoints()));
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, CHECKPOINTS_REMEMBERED);
        if (spec.places().restore() != null) {
            // Others start from the same checkpoint later: it is not claimed, so that nothing of it is deleted. The
            // changelog
            // cannot write the full checkpoint that comes first then, and goes on from what it restored.
            configuration.set(
                    StateRecoveryOptions.SAVEPOINT_PATH, uri(spec.places().restore()));
            configuration.setString(StateRecoveryOptions.RESTORE_MODE.key(), changelog(spec) ? "LEGACY" : "NO_CLAIM");
        }
    }

    private static String uri(String path) {
        return Path.of(path).toAbsolutePath().toUri().toString();
    }
}
