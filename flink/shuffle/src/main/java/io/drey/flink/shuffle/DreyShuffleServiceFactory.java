package io.drey.flink.shuffle;

import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;
import org.apache.flink.runtime.shuffle.ShuffleEnvironment;
import org.apache.flink.runtime.shuffle.ShuffleEnvironmentContext;
import org.apache.flink.runtime.shuffle.ShuffleMaster;
import org.apache.flink.runtime.shuffle.ShuffleMasterContext;
import org.apache.flink.runtime.shuffle.ShuffleServiceFactory;

/** The door: the value of Flink's option {@code shuffle-service-factory.class}. */
public final class DreyShuffleServiceFactory
        implements ShuffleServiceFactory<ShuffleDescriptor, ResultPartition, SingleInputGate> {
    @Override
    public ShuffleMaster<ShuffleDescriptor> createShuffleMaster(ShuffleMasterContext context) {
        return new DreyShuffleMaster(context);
    }

    @Override
    public ShuffleEnvironment<ResultPartition, SingleInputGate> createShuffleEnvironment(
            ShuffleEnvironmentContext context) {
        return DreyShuffleEnvironment.create(context);
    }
}
