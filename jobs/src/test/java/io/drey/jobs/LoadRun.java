package io.drey.jobs;

import io.drey.jobs.digest.BucketDigest;
import io.drey.jobs.digest.DigestBoard;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
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
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Runs generated jobs on an embedded cluster, one after the other.
 *
 * @param flink the cluster, with {@link #SLOTS} slots
 * @param directory for checkpoints
 */
public record LoadRun(MiniCluster flink, Path directory) {
    /** The largest parallelism. */
    public static final int SLOTS = 2;

    /** Cuts a test that hangs; no run is near it. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final long POLL_MS = 2;

    /** Longer than any run. */
    private static final Duration CHECKPOINT_INTERVAL = Duration.ofHours(10);

    private static final MemorySize MANAGED = MemorySize.ofMebiBytes(128);

    /**
     * How a job is run.
     *
     * @param backend a name for {@code state.backend.type}
     * @param parallelism of the vertex with the state
     * @param objectReuse whether operators of a chain hand on the same objects
     * @param restore the checkpoint to begin with, or null
     */
    public record Way(String backend, int parallelism, boolean objectReuse, String restore) {}

    /**
     * What a run left.
     *
     * @param digests the complete buckets at its end
     * @param checkpoint path of a checkpoint taken near its end
     */
    public record Outcome(List<BucketDigest> digests, String checkpoint) {}

    /** Starts a cluster for all runs of a test class, which closes it. */
    public static MiniCluster startCluster() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MANAGED);
        MiniCluster flink = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(SLOTS)
                .build());
        flink.start();
        return flink;
    }

    /** Runs a job until so many buckets are complete, then takes a checkpoint and cancels it. */
    public Outcome until(int buckets, LoadJob job, LoadSettings settings, Way way) throws Exception {
        DigestBoard.reset();
        JobGraph graph = graph(job, settings, way);
        JobID id = graph.getJobID();
        flink.submitJob(graph).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        try {
            awaitBuckets(id, buckets);
            String checkpoint = flink.triggerCheckpoint(id).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            return new Outcome(DigestBoard.complete(), checkpoint);
        } finally {
            if (!flink.getJobStatus(id).get().isTerminalState()) {
                flink.cancelJob(id).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            }
            flink.requestJobResult(id).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void awaitBuckets(JobID id, int buckets) throws Exception {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (DigestBoard.complete().size() < buckets) {
            JobStatus status = flink.getJobStatus(id).get();
            if (status.isTerminalState() || System.nanoTime() > deadline) {
                throw new IllegalStateException("expected " + buckets + " buckets, found "
                        + DigestBoard.complete().size() + ", and the job is " + status + ": "
                        + flink.getArchivedExecutionGraph(id)
                                .get()
                                .getFailureInfo()
                                .getExceptionAsString());
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** The job as it would be run. */
    public JobGraph graph(LoadJob job, LoadSettings settings, Way way) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration(way));
        job.build(env, settings, directory.resolve("output"));
        return env.getStreamGraph().getJobGraph();
    }

    private Configuration configuration(Way way) {
        Configuration configuration = new Configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, way.backend());
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        // Without periodic checkpoints those on demand would not align barriers: events of two inputs would count
        // twice.
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(PipelineOptions.OBJECT_REUSE, way.objectReuse());
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, way.parallelism());
        if (way.restore() != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, way.restore());
        }
        return configuration;
    }
}
