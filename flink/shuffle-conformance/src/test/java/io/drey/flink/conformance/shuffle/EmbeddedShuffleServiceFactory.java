package io.drey.flink.conformance.shuffle;

import io.drey.flink.shuffle.DreyShuffleServiceFactory;
import io.drey.shuffle.worker.ShuffleWorker;
import io.drey.shuffle.worker.WorkerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.partition.ResultPartition;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;
import org.apache.flink.runtime.shuffle.ShuffleEnvironment;
import org.apache.flink.runtime.shuffle.ShuffleEnvironmentContext;
import org.apache.flink.runtime.shuffle.ShuffleMaster;
import org.apache.flink.runtime.shuffle.ShuffleMasterContext;
import org.apache.flink.runtime.shuffle.ShuffleServiceFactory;

/** Our service with one worker for all clusters of this process; without it jobs fail. */
public final class EmbeddedShuffleServiceFactory
        implements ShuffleServiceFactory<ShuffleDescriptor, ResultPartition, SingleInputGate> {
    private static final InetSocketAddress WORKER = start();

    private final DreyShuffleServiceFactory service = new DreyShuffleServiceFactory();

    private static InetSocketAddress start() {
        try {
            Path directory = Files.createTempDirectory(Path.of("target"), "shuffle-worker");
            ShuffleWorker worker = ShuffleWorker.open(
                    WorkerOptions.of(directory).withPort(0).withFreeBytesMin(0).withMemory(64 << 20));
            return new InetSocketAddress(worker.host(), worker.port());
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static Configuration with(Configuration configuration) {
        Configuration copy = new Configuration(configuration);
        copy.setString("drey.shuffle.registry", "127.0.0.1:" + WORKER.getPort());
        copy.setString("drey.shuffle.fallback", "fail");
        return copy;
    }

    @Override
    public ShuffleMaster<ShuffleDescriptor> createShuffleMaster(ShuffleMasterContext context) {
        return service.createShuffleMaster(new ShuffleMasterContext() {
            @Override
            public Configuration getConfiguration() {
                return with(context.getConfiguration());
            }

            @Override
            public void onFatalError(Throwable cause) {
                context.onFatalError(cause);
            }
        });
    }

    @Override
    public ShuffleEnvironment<ResultPartition, SingleInputGate> createShuffleEnvironment(
            ShuffleEnvironmentContext context) {
        return service.createShuffleEnvironment(new ShuffleEnvironmentContext(
                with(context.getConfiguration()),
                context.getTaskExecutorResourceId(),
                context.getNetworkMemorySize(),
                context.isLocalCommunicationOnly(),
                context.getHostAddress(),
                context.getNumberOfSlots(),
                context.getTmpDirPaths(),
                context.getEventPublisher(),
                context.getParentMetricGroup(),
                context.getIoExecutor(),
                context.getScheduledExecutor()));
    }
}
