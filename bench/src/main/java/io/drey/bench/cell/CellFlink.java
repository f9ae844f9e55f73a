package io.drey.bench.cell;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.LoggerFactory;

/** The Flink cluster of a cell, with one task manager, one slot and one job. It ends with the process. */
final class CellFlink {
    /** What the cluster still had to do then is not needed any more. */
    private static final long CLOSE_MS_MAX = 2_000;

    private final MiniCluster cluster;
    private final JobGraph graph;

    /** Starts the cluster, and plans the job that has been built in the environment. */
    CellFlink(Configuration configuration, StreamExecutionEnvironment env) throws Exception {
        graph = env.getStreamGraph().getJobGraph();
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .build());
        cluster.start();
    }

    /** Names of the tasks. */
    List<String> vertices() {
        List<String> names = new ArrayList<>();
        for (JobVertex vertex : graph.getVertices()) {
            names.add(vertex.getName());
        }
        return names;
    }

    /** Submits the job; the future completes when it has ended, in any way. */
    CompletableFuture<JobResult> submit() throws ExecutionException, InterruptedException {
        return cluster.requestJobResult(cluster.submitJob(graph).get().getJobID());
    }

    /** What is known of the checkpoints; null before the job is there. */
    CheckpointStatsSnapshot checkpoints() throws InterruptedException {
        try {
            return cluster.getExecutionGraph(job()).get().getCheckpointStatsSnapshot();
        } catch (ExecutionException e) {
            // Asked before the job master is there.
            return null;
        }
    }

    /** Begins a checkpoint; the future has its path when it is complete. */
    CompletableFuture<String> checkpoint() {
        return cluster.triggerCheckpoint(job());
    }

    CompletableFuture<?> cancel() {
        return cluster.cancelJob(job());
    }

    /** Path of the checkpoint that the job left when it was cancelled, or null. */
    String retained() throws InterruptedException {
        CheckpointStatsSnapshot stats = checkpoints();
        CompletedCheckpointStats last =
                stats == null ? null : stats.getHistory().getLatestCompletedCheckpoint();
        String path = last == null ? null : last.getExternalPath();
        return path != null && path.startsWith("file:")
                ? Path.of(URI.create(path)).toString()
                : path;
    }

    private JobID job() {
        return graph.getJobID();
    }

    /** Lets the cluster finish what it deletes in the background, for a moment. */
    void close() throws InterruptedException {
        try {
            cluster.closeAsync().get(CLOSE_MS_MAX, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LoggerFactory.getLogger(CellFlink.class).warn("Flink did not shut down in order", e);
        }
    }
}
