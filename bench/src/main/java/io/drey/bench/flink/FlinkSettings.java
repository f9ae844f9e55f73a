package io.drey.bench.flink;

import io.drey.bench.metric.MetricBoardReporterFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;

/**
 * The settings that demo and comparison have in common; each adds its state backend and what else is its own.
 *
 * @param parallelism of the job
 * @param managedBytes memory of the state backend, for all subtasks together
 * @param checkpointInterval time between checkpoints
 * @param temporary directory for what is not the state backend's
 * @param local directory for the state backend's local files
 * @param checkpoints directory for checkpoints, of which the last stays when a job is cancelled
 */
public record FlinkSettings(
        int parallelism, long managedBytes, Duration checkpointInterval, Path temporary, Path local, Path checkpoints) {
    /** Checkpoints whose times Flink keeps, more than a run has. */
    public static final int CHECKPOINTS_REMEMBERED = 10_000;

    /** Enough buffers for the exchanges of these jobs at any parallelism, and little beside the managed memory. */
    private static final MemorySize NETWORK = MemorySize.ofMebiBytes(32);

    /** A new configuration, in which a job that fails is not started again. */
    public Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
        configuration.set(CoreOptions.TMP_DIRS, temporary.toString());
        configuration.set(
                ClusterOptions.PROCESS_WORKING_DIR_BASE, local.toAbsolutePath().toString());
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, new MemorySize(managedBytes));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, NETWORK);
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, NETWORK);
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(RestOptions.BIND_ADDRESS, "localhost");
        configuration.set(WebOptions.SUBMIT_ENABLE, false);
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
        configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, uri(checkpoints));
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, CHECKPOINTS_REMEMBERED);
        configuration.setString("metrics.reporters", "board");
        configuration.setString("metrics.reporter.board.factory.class", MetricBoardReporterFactory.class.getName());
        return configuration;
    }

    /** A place as Flink's options take it: of a local file its path may be given, of any other its URI. */
    public static String uri(String place) {
        return place.startsWith("/") ? uri(Path.of(place)) : place;
    }

    /** A path as Flink's options take it, in which nothing is escaped. */
    public static String uri(Path path) {
        return "file://" + path.toAbsolutePath();
    }
}
