package io.drey.flink.objects;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;
import org.apache.flink.core.plugin.PluginManager;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** A Flink in this process whose checkpoints go into an object store, with its file system loaded as a plugin. */
final class ObjectCluster implements AutoCloseable {
    static final Path PLUGINS = Path.of(
            System.getProperty("basedir", "."), "target", System.getProperty("drey.s3.plugin", "hadoop"), "plugins");

    private static final long WAIT_SECONDS_MAX = 40;
    private static final int SLOTS = 3;

    private final ObjectServer server;
    private final Configuration configuration;
    private final MiniCluster cluster;
    private JobID job;

    ObjectCluster(ObjectServer server, Path local) throws Exception {
        this.server = server;
        this.configuration = configuration(local);
        PluginManager plugins = new DefaultPluginManager(
                new DirectoryBasedPluginFinder(PLUGINS).findPlugins(),
                CoreOptions.getPluginParentFirstLoaderPatterns(configuration));
        FileSystem.initialize(configuration, plugins);
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(SLOTS)
                .setConfiguration(configuration)
                .setPluginManager(plugins)
                .build());
        cluster.start();
    }

    private Configuration configuration(Path local) {
        Configuration options = server.options();
        options.set(RestOptions.BIND_PORT, "0");
        options.set(CoreOptions.TMP_DIRS, local.toString());
        options.set(StateBackendOptions.STATE_BACKEND, "io.drey.flink.state.DreyStateBackendFactory");
        options.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(48));
        options.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, uri("nowhere"));
        options.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ZERO);
        options.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        options.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(200));
        options.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 2);
        options.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        options.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        options.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        return options;
    }

    static String uri(String path) {
        return "s3://" + ObjectServer.BUCKET + "/" + path;
    }

    /**
     * Starts the job, and waits until it has completed two checkpoints.
     *
     * @param checkpoints where they go, below the bucket
     * @param retained whether they stay when it is cancelled
     * @param from a checkpoint or savepoint to start from, or null
     */
    String run(String checkpoints, boolean retained, int parallelism, String from, RecoveryClaimMode mode)
            throws Exception {
        Configuration options = new Configuration(configuration);
        options.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, uri(checkpoints));
        options.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                retained
                        ? ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION
                        : ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION);
        JobGraph graph = CountingJob.graph(options, parallelism);
        if (from != null) {
            graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(from, false, mode));
        }
        job = cluster.submitJob(graph).get().getJobID();
        awaitCompleted(2);
        return job.toHexString();
    }

    String run(String checkpoints, boolean retained) throws Exception {
        return run(checkpoints, retained, 2, null, RecoveryClaimMode.DEFAULT);
    }

    /** Waits until all subtasks have heard of that many more checkpoints. */
    void awaitCompleted(int checkpoints) throws Exception {
        int goal = CountingJob.COMPLETED.get() + SLOTS * checkpoints;
        await("checkpoints", () -> CountingJob.COMPLETED.get() >= goal);
    }

    void await(String what, BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || (job != null && isOver())) {
                ErrorInfo failure = cluster.getArchivedExecutionGraph(job).get().getFailureInfo();
                throw new IllegalStateException("waited for " + what + " and they did not come; the job: "
                        + (failure == null ? "runs" : failure.getExceptionAsString()));
            }
            Thread.sleep(20);
        }
    }

    private boolean isOver() throws Exception {
        return cluster.getJobStatus(job).get().isGloballyTerminalState();
    }

    /** Cancels the job; the path of its last checkpoint. */
    String cancel() throws Exception {
        cluster.cancelJob(job).get();
        cluster.requestJobResult(job).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
        CompletedCheckpointStats last = cluster.getExecutionGraph(job)
                .get()
                .getCheckpointStatsSnapshot()
                .getHistory()
                .getLatestCompletedCheckpoint();
        job = null;
        return last.getExternalPath();
    }

    /** Stops the job with a savepoint; its path. */
    String stop(String directory, SavepointFormatType format) throws Exception {
        String path =
                cluster.stopWithSavepoint(job, uri(directory), false, format).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
        cluster.requestJobResult(job).get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
        job = null;
        return path;
    }

    /** Waits until what a text stands in the keys of has gone, as those who delete take their time. */
    void awaitGone(String text) throws Exception {
        await(text + " to go", () -> server.objects(text).isEmpty());
    }

    @Override
    public void close() {
        cluster.closeAsync().join();
    }
}
