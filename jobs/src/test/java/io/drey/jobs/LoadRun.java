package io.drey.jobs;

import io.drey.jobs.digest.BucketDigest;
import io.drey.jobs.digest.DigestBoard;
import io.drey.jobs.generate.LoadSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * @param backend a name for {@code state.backend.type}
 * @param parallelism of the vertex with the state
 * @param objectReuse whether operators of a chain hand on the same objects
 * @param directory for checkpoints
 */
record LoadRun(String backend, int parallelism, boolean objectReuse, Path directory) {
    /** Cuts a test that hangs; no run is near it. */
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final long POLL_MS = 2;

    /**
     * What a run left.
     *
     * @param digests the complete buckets at its end
     * @param checkpoint path of a checkpoint taken at its end
     */
    record Outcome(List<BucketDigest> digests, String checkpoint) {}

    /**
     * Runs a job until so many buckets are complete, and then takes a checkpoint and cancels it.
     *
     * @param restore the checkpoint to begin with, or null
     */
    Outcome until(int buckets, LoadJob job, LoadSettings settings, String restore) throws Exception {
        DigestBoard.reset();
        Configuration configuration = configuration(restore);
        JobGraph graph = graph(job, settings, configuration);
        MiniClusterConfiguration cluster = new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(parallelism)
                .build();
        MiniCluster flink = new MiniCluster(cluster);
        try {
            flink.start();
            flink.submitJob(graph).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            awaitBuckets(flink, graph, buckets);
            String checkpoint = flink.triggerCheckpoint(graph.getJobID()).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            List<BucketDigest> digests = DigestBoard.complete();
            flink.cancelJob(graph.getJobID()).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            flink.requestJobResult(graph.getJobID()).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            return new Outcome(digests, checkpoint);
        } finally {
            flink.close();
        }
    }

    static JobGraph graph(LoadJob job, LoadSettings settings, Configuration configuration) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        job.build(env, settings);
        return env.getStreamGraph().getJobGraph();
    }

    private static void awaitBuckets(MiniCluster flink, JobGraph graph, int buckets) throws Exception {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (DigestBoard.complete().size() < buckets) {
            JobStatus status = flink.getJobStatus(graph.getJobID()).get();
            if (status.isTerminalState() || System.nanoTime() > deadline) {
                throw new IllegalStateException("expected " + buckets + " buckets, found "
                        + DigestBoard.complete().size() + ", and the job is " + status + ": "
                        + flink.getArchivedExecutionGraph(graph.getJobID())
                                .get()
                                .getFailureInfo());
            }
            Thread.sleep(POLL_MS);
        }
    }

    Configuration configuration(String restore) {
        Configuration configuration = new Configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, backend);
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(PipelineOptions.OBJECT_REUSE, objectReuse);
        configuration.set(PipelineOptions.GENERIC_TYPES, false);
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
        if (restore != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, restore);
        }
        return configuration;
    }
}
