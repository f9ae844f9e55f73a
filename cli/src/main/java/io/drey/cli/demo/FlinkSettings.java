package io.drey.cli.demo;

import io.drey.bench.metric.MetricBoardReporterFactory;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/** Makes Flink's configuration from the user's settings: the backend is chosen here and nowhere else. */
final class FlinkSettings {
    /** Enough buffers for the exchanges of these jobs at any parallelism, and little beside the managed memory. */
    private static final MemorySize NETWORK = MemorySize.ofMebiBytes(32);

    /** From these failed checkpoints are counted. */
    private static final int CHECKPOINTS_REMEMBERED = 10_000;

    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

    private FlinkSettings() {}

    static Configuration of(DemoSettings settings, WorkDirectory directory) {
        Configuration configuration = new Configuration();
        cluster(configuration, settings.cluster(), directory);
        checkpoints(configuration, settings, directory);
        metrics(configuration, settings.cluster().backend());
        settings.cluster().options().forEach(configuration::setString);
        return configuration;
    }

    private static void cluster(Configuration configuration, DemoSettings.Cluster cluster, WorkDirectory directory) {
        String temporary = directory.temporary().toString();
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, cluster.parallelism());
        configuration.set(CoreOptions.TMP_DIRS, temporary);
        configuration.setString("process.working-dir", temporary);
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, new MemorySize(cluster.managedBytes()));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        // A large savepoint takes longer than a call may usually last.
        configuration.setString("pekko.ask.timeout", "1 h");
        if (cluster.webUiPort() == null) {
            configuration.set(RestOptions.BIND_PORT, "0");
        } else {
            configuration.set(RestOptions.PORT, cluster.webUiPort());
            configuration.set(RestOptions.BIND_PORT, Integer.toString(cluster.webUiPort()));
        }
        configuration.set(RestOptions.BIND_ADDRESS, "localhost");
    }

    private static void checkpoints(Configuration configuration, DemoSettings settings, WorkDirectory directory) {
        DemoSettings.Checkpoints checkpoints = settings.checkpoints();
        configuration.set(
                StateBackendOptions.STATE_BACKEND, settings.cluster().backend().type());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpoints.interval());
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.checkpoints().toUri().toString());
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, CHECKPOINTS_REMEMBERED);
        if (checkpoints.restore() != null) {
            configuration.set(
                    StateRecoveryOptions.SAVEPOINT_PATH,
                    checkpoints.restore().toAbsolutePath().toUri().toString());
        }
        // A failure on purpose is recovered from; any other failure is to be seen at once.
        if (settings.work().failAfter() == null) {
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        } else {
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
            configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, RESTART_DELAY);
        }
    }

    private static void metrics(Configuration configuration, Backend backend) {
        configuration.setString("metrics.reporters", "board");
        configuration.setString("metrics.reporter.board.factory.class", MetricBoardReporterFactory.class.getName());
        if (backend == Backend.rocksdb || backend == Backend.forst) {
            configuration.setString("state.backend." + backend + ".metrics.block-cache-usage", "true");
        }
    }
}
