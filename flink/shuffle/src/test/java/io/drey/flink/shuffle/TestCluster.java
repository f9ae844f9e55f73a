package io.drey.flink.shuffle;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** A Flink cluster in this process with our shuffle service, and jobs in it that tell their results by accumulators. */
final class TestCluster implements AutoCloseable {
    static final int SLOTS = 4;

    private final MiniCluster cluster;

    TestCluster(InetSocketAddress registry, int taskManagers, Map<String, String> more) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("shuffle-service-factory.class", DreyShuffleServiceFactory.class.getName());
        configuration.setString("drey.shuffle.registry", registry.getHostString() + ":" + registry.getPort());
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(192));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(192));
        configuration.setString("taskmanager.network.sort-shuffle.min-buffers", "32");
        configuration.set(RestOptions.BIND_PORT, "0");
        more.forEach(configuration::setString);
        cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(SLOTS)
                .setRpcServiceSharing(RpcServiceSharing.DEDICATED)
                .build());
        cluster.start();
    }

    MiniCluster flink() {
        return cluster;
    }

    /** A batch job's graph; its parallelism is fixed. */
    static StreamGraph batch(int parallelism, Consumer<StreamExecutionEnvironment> job) {
        return graph(RuntimeExecutionMode.BATCH, parallelism, job);
    }

    static StreamGraph graph(RuntimeExecutionMode mode, int parallelism, Consumer<StreamExecutionEnvironment> job) {
        return graph(mode, parallelism, false, job);
    }

    /** @param isAdaptive whether Flink chooses how many consumers there are, by their bytes */
    static StreamGraph graph(
            RuntimeExecutionMode mode, int parallelism, boolean isAdaptive, Consumer<StreamExecutionEnvironment> job) {
        Configuration configuration = new Configuration();
        configuration.setString("execution.batch.adaptive.auto-parallelism.enabled", String.valueOf(isAdaptive));
        configuration.set(ExecutionOptions.RUNTIME_MODE, mode);
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(parallelism);
        job.accept(environment);
        return environment.getStreamGraph();
    }

    JobID submit(StreamGraph graph) throws Exception {
        graph.setJobId(new JobID());
        graph.serializeUserDefinedInstances();
        return cluster.submitJob(graph).get().getJobID();
    }

    JobExecutionResult await(JobID job) throws Exception {
        return cluster.requestJobResult(job).get().toJobExecutionResult(TestCluster.class.getClassLoader());
    }

    JobExecutionResult run(StreamGraph graph) throws Exception {
        return await(submit(graph));
    }

    /** Attempts of all the job's tasks that failed. */
    int failedAttempts(JobID job) throws Exception {
        int failed = 0;
        var graph = cluster.getExecutionGraph(job).get();
        for (var vertex : graph.getAllExecutionVertices()) {
            failed += vertex.getCurrentExecutionAttempt().getAttemptNumber();
        }
        return failed;
    }

    @Override
    public void close() {
        cluster.closeAsync().join();
    }
}
