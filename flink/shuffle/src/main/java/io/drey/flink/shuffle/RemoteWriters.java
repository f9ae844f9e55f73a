package io.drey.flink.shuffle;

import io.drey.shuffle.client.ShuffleClient;
import org.apache.flink.runtime.deployment.ResultPartitionDeploymentDescriptor;
import org.apache.flink.runtime.io.network.NettyShuffleEnvironment;
import org.apache.flink.runtime.io.network.buffer.BufferCompressor;
import org.apache.flink.runtime.io.network.partition.ResultPartitionManager;
import org.apache.flink.runtime.taskmanager.NettyShuffleEnvironmentConfiguration;

/**
 * Makes writers of a task manager; each has the memory that Flink announces for a partition of Netty's sort shuffle.
 */
final class RemoteWriters {
    private final NettyShuffleEnvironmentConfiguration config;
    private final NettyShuffleEnvironment netty;
    private final ShuffleClient workers;

    /** Flink's result partitions want one; ours are never registered in it, since nothing of them stays here. */
    private final ResultPartitionManager none = new ResultPartitionManager();

    RemoteWriters(NettyShuffleEnvironmentConfiguration config, NettyShuffleEnvironment netty, ShuffleClient workers) {
        this.config = config;
        this.netty = netty;
        this.workers = workers;
    }

    RemoteResultPartition create(
            String task, int index, ResultPartitionDeploymentDescriptor descriptor, DreyShuffleDescriptor ours) {
        boolean compresses = config.isBatchShuffleCompressionEnabled()
                && descriptor.getPartitionType().supportCompression();
        int buffers = config.sortShuffleMinBuffers();
        int subpartitions = descriptor.getNumberOfSubpartitions();
        int perChannel = config.getMaxBuffersPerChannel();
        RemoteResultPartition partition = new RemoteResultPartition(
                new RemoteResultPartition.Place(task, index, descriptor, ours, none),
                config.networkBufferSize(),
                compresses ? new BufferCompressor(config.networkBufferSize(), config.getCompressionCodec()) : null,
                () -> netty.getNetworkBufferPool().createBufferPool(buffers, buffers, subpartitions, perChannel, 0),
                config.getRequestSegmentsTimeout(),
                workers);
        partition.isNumberOfPartitionConsumerUndefined(descriptor.isNumberOfPartitionConsumerUndefined());
        return partition;
    }
}
