package io.drey.flink.shuffle;

import io.drey.shuffle.client.ShuffleClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.deployment.InputGateDeploymentDescriptor;
import org.apache.flink.runtime.deployment.ResultPartitionDeploymentDescriptor;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.executiongraph.PartitionInfo;
import org.apache.flink.runtime.io.network.ConnectionManager;
import org.apache.flink.runtime.io.network.LocalConnectionManager;
import org.apache.flink.runtime.io.network.NettyShuffleEnvironment;
import org.apache.flink.runtime.io.network.NettyShuffleServiceFactory;
import org.apache.flink.runtime.io.network.netty.NettyConnectionManager;
import org.apache.flink.runtime.io.network.partition.PartitionProducerStateProvider;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionManager;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;
import org.apache.flink.runtime.shuffle.ShuffleEnvironment;
import org.apache.flink.runtime.shuffle.ShuffleEnvironmentContext;
import org.apache.flink.runtime.shuffle.ShuffleIOOwnerContext;
import org.apache.flink.runtime.shuffle.ShuffleMetrics;
import org.apache.flink.runtime.taskmanager.NettyShuffleEnvironmentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task manager's side: Netty's environment, with a router in place of its connection manager, and writers of our own
 * for partitions that the master gave to the workers.
 */
final class DreyShuffleEnvironment implements ShuffleEnvironment<ResultPartition, SingleInputGate> {
    static final Logger LOG = LoggerFactory.getLogger("io.drey.flink.shuffle");

    private final NettyShuffleEnvironment netty;
    private final RemoteWriters writers;

    private DreyShuffleEnvironment(NettyShuffleEnvironment netty, RemoteWriters writers) {
        this.netty = netty;
        this.writers = writers;
    }

    static DreyShuffleEnvironment create(ShuffleEnvironmentContext context) {
        ShuffleSettings settings = ShuffleSettings.of(context.getConfiguration());
        NettyShuffleEnvironmentConfiguration config = NettyShuffleEnvironmentConfiguration.fromConfiguration(
                context.getConfiguration(),
                context.getNetworkMemorySize(),
                context.isLocalCommunicationOnly(),
                context.getHostAddress());
        ResultPartitionManager partitions =
                new ResultPartitionManager(config.getPartitionRequestListenerTimeout(), context.getScheduledExecutor());
        ConnectionManager connections = config.nettyConfig() == null
                ? new LocalConnectionManager()
                : new NettyConnectionManager(
                        partitions,
                        context.getEventPublisher(),
                        config.nettyConfig(),
                        config.isConnectionReuseEnabled());
        ShuffleClient workers = ShuffleClient.open(settings.client());
        NettyShuffleEnvironment netty = NettyShuffleServiceFactory.createNettyShuffleEnvironment(
                config,
                context.getTaskExecutorResourceId(),
                context.getEventPublisher(),
                partitions,
                new ConnectionRouter(connections, workers),
                context.getParentMetricGroup(),
                context.getIoExecutor(),
                context.getNumberOfSlots(),
                context.getTmpDirPaths());
        register(context.getParentMetricGroup(), workers);
        return new DreyShuffleEnvironment(netty, new RemoteWriters(config, netty, workers));
    }

    private static void register(MetricGroup parent, ShuffleClient workers) {
        MetricGroup group = parent.addGroup("drey").addGroup("shuffle");
        group.gauge("workerConnections", (Gauge<Integer>) workers::connections);
        group.gauge("reconnects", (Gauge<Long>) workers.counts()::reconnects);
        group.gauge("regionsResent", (Gauge<Long>) workers.counts()::regionsResent);
        group.gauge("partitionsLost", (Gauge<Long>) workers.counts()::partitionsLost);
        group.gauge("bytesWritten", (Gauge<Long>) workers.counts()::bytesWritten);
        group.gauge("bytesRead", (Gauge<Long>) workers.counts()::bytesRead);
    }

    @Override
    public int start() throws IOException {
        return netty.start();
    }

    @Override
    public ShuffleIOOwnerContext createShuffleIOOwnerContext(
            String ownerName, ExecutionAttemptID attempt, MetricGroup parentGroup) {
        return netty.createShuffleIOOwnerContext(ownerName, attempt, parentGroup);
    }

    /** Netty's partitions are made in one call, because it registers a task's metrics in each. */
    @Override
    public List<ResultPartition> createResultPartitionWriters(
            ShuffleIOOwnerContext owner, List<ResultPartitionDeploymentDescriptor> descriptors) {
        ResultPartition[] partitions = new ResultPartition[descriptors.size()];
        List<ResultPartitionDeploymentDescriptor> others = new ArrayList<>();
        for (int i = 0; i < partitions.length; i++) {
            ResultPartitionDeploymentDescriptor descriptor = descriptors.get(i);
            if (descriptor.getShuffleDescriptor() instanceof DreyShuffleDescriptor ours) {
                partitions[i] = writers.create(owner.getOwnerName(), i, descriptor, ours);
            } else {
                others.add(descriptor);
            }
        }
        if (!others.isEmpty()) {
            List<ResultPartition> made = netty.createResultPartitionWriters(owner, others);
            int next = 0;
            for (int i = 0; i < partitions.length; i++) {
                if (partitions[i] == null) {
                    partitions[i] = made.get(next++);
                }
            }
        }
        return Arrays.asList(partitions);
    }

    @Override
    public void releasePartitionsLocally(Collection<ResultPartitionID> partitions) {
        netty.releasePartitionsLocally(partitions);
    }

    @Override
    public Collection<ResultPartitionID> getPartitionsOccupyingLocalResources() {
        return netty.getPartitionsOccupyingLocalResources();
    }

    @Override
    public Optional<ShuffleMetrics> getMetricsIfPartitionOccupyingLocalResource(ResultPartitionID partition) {
        return netty.getMetricsIfPartitionOccupyingLocalResource(partition);
    }

    @Override
    public List<SingleInputGate> createInputGates(
            ShuffleIOOwnerContext owner,
            PartitionProducerStateProvider producers,
            List<InputGateDeploymentDescriptor> descriptors) {
        List<InputGateDeploymentDescriptor> views = new ArrayList<>(descriptors.size());
        for (InputGateDeploymentDescriptor descriptor : descriptors) {
            views.add(new GateDescriptorView(descriptor));
        }
        return netty.createInputGates(owner, producers, views);
    }

    /**
     * A consumer is deployed before its producers have finished if other exchanges put both into one region. Netty would
     * end the process at a descriptor that is not its own.
     */
    @Override
    public boolean updatePartitionInfo(ExecutionAttemptID consumer, PartitionInfo partition)
            throws IOException, InterruptedException {
        ShuffleDescriptor shown = RemoteAddress.shown(partition.getShuffleDescriptor());
        return netty.updatePartitionInfo(consumer, new PartitionInfo(partition.getIntermediateDataSetID(), shown));
    }

    @Override
    public void close() {
        netty.close();
    }
}
