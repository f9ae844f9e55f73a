package io.drey.cli.demo;

import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** One Flink cluster inside this process, with one task manager and one job. */
final class EmbeddedFlink implements AutoCloseable {
    private static final long CLOSE_SECONDS_MAX = 30;

    private final MiniCluster cluster;
    private JobID job;

    EmbeddedFlink(Configuration configuration) throws Exception {
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(configuration.get(CoreOptions.DEFAULT_PARALLELISM))
                .build());
        try {
            cluster.start();
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    URI webAddress() throws ExecutionException, InterruptedException {
        return cluster.getRestAddress().get();
    }

    /** Submits the job that has been built in the environment; the future completes when the job has ended, in any way. */
    CompletableFuture<JobResult> submit(StreamExecutionEnvironment env, String name)
            throws ExecutionException, InterruptedException {
        StreamGraph graph = env.getStreamGraph();
        graph.setJobName(name);
        job = cluster.submitJob(graph.getJobGraph()).get().getJobID();
        return cluster.requestJobResult(job);
    }

    CheckpointSummary checkpoints() throws InterruptedException {
        try {
            return CheckpointSummary.of(cluster.getExecutionGraph(job).get().getCheckpointStatsSnapshot());
        } catch (ExecutionException e) {
            // Asked before the job master is there, or after it is gone.
            return CheckpointSummary.NONE;
        }
    }

    CompletableFuture<?> cancel() {
        return cluster.cancelJob(job);
    }

    /** Stops the job with a savepoint; the future has its path. */
    CompletableFuture<String> stop(String directory, SavepointFormatType format) {
        return cluster.stopWithSavepoint(job, directory, false, format);
    }

    @Override
    public void close() {
        try {
            cluster.closeAsync().get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Flink did not shut down within " + CLOSE_SECONDS_MAX + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Flink did not shut down in order", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
