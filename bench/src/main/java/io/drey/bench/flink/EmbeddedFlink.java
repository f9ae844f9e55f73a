package io.drey.bench.flink;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** One Flink cluster inside this process, with one task manager and one job. */
public final class EmbeddedFlink implements AutoCloseable {
    private static final long CLOSE_SECONDS_MAX = 30;

    private final MiniCluster cluster;
    private final JobGraph graph;

    /**
     * Plans the job that has been built in the environment, and starts the cluster.
     *
     * @param name of the job
     */
    public EmbeddedFlink(Configuration configuration, StreamExecutionEnvironment env, String name) throws Exception {
        StreamGraph planned = env.getStreamGraph();
        planned.setJobName(name);
        graph = planned.getJobGraph();
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(configuration.get(CoreOptions.DEFAULT_PARALLELISM))
                .build());
        try {
            // A mini cluster leaves file systems without their options.
            FileSystem.initialize(configuration, null);
            cluster.start();
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    /** The job's id; its checkpoints are in a directory of this name. */
    public String jobId() {
        return graph.getJobID().toString();
    }

    /** Names of the tasks. */
    public List<String> vertices() {
        List<String> names = new ArrayList<>();
        for (JobVertex vertex : graph.getVertices()) {
            names.add(vertex.getName());
        }
        return names;
    }

    /** Where the web UI is. */
    public URI webAddress() throws ExecutionException, InterruptedException {
        return cluster.getRestAddress().get();
    }

    /** Submits the job; the future completes when it has ended, in any way. */
    public CompletableFuture<JobResult> submit() throws ExecutionException, InterruptedException {
        return cluster.requestJobResult(cluster.submitJob(graph).get().getJobID());
    }

    /** What is known of the checkpoints; null before the job master is there and after it is gone. */
    public CheckpointStatsSnapshot checkpoints() throws InterruptedException {
        try {
            return cluster.getExecutionGraph(graph.getJobID()).get().getCheckpointStatsSnapshot();
        } catch (ExecutionException e) {
            return null;
        }
    }

    /** Begins a checkpoint; the future has its path when it is complete. */
    public CompletableFuture<String> checkpoint() {
        return cluster.triggerCheckpoint(graph.getJobID());
    }

    /** Begins a savepoint below a directory; the future has its path when it is complete. */
    public CompletableFuture<String> savepoint(Path directory, SavepointFormatType format) {
        return cluster.triggerSavepoint(graph.getJobID(), FlinkSettings.uri(directory), false, format)
                .thenApply(EmbeddedFlink::plain);
    }

    /** Cancels the job. */
    public CompletableFuture<?> cancel() {
        return cluster.cancelJob(graph.getJobID());
    }

    /** Stops the job with a savepoint below a directory; the future has its path. */
    public CompletableFuture<String> stop(Path directory, SavepointFormatType format) {
        return cluster.stopWithSavepoint(graph.getJobID(), FlinkSettings.uri(directory), false, format)
                .thenApply(EmbeddedFlink::plain);
    }

    /** Path of the checkpoint that the job left when it was cancelled, or null. */
    public String retained() throws InterruptedException {
        CheckpointStatsSnapshot stats = checkpoints();
        CompletedCheckpointStats last =
                stats == null ? null : stats.getHistory().getLatestCompletedCheckpoint();
        return last == null || last.getExternalPath() == null ? null : plain(last.getExternalPath());
    }

    /** A path as people and options write it. Flink's is no URI: blanks and all else stand in it as they are. */
    static String plain(String path) {
        return path.startsWith("file:")
                ? Path.of(new org.apache.flink.core.fs.Path(path).getPath()).toString()
                : path;
    }

    /** Begins to shut down; the future completes when nothing runs any more. */
    public CompletableFuture<Void> shutDown() {
        return cluster.closeAsync();
    }

    /** Shuts down and waits for it. */
    @Override
    public void close() {
        try {
            shutDown().get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Flink did not shut down within " + CLOSE_SECONDS_MAX + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Flink did not shut down in order", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
