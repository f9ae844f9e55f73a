package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.client.Candidate;
import io.drey.shuffle.client.ClientOptions;
import io.drey.shuffle.client.ShuffleControl;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.jobgraph.IntermediateResultPartitionID;
import org.apache.flink.runtime.shuffle.JobShuffleContext;
import org.apache.flink.runtime.shuffle.PartitionWithMetrics;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a job manager tells the one after it. */
final class RemoteJobTest implements JobShuffleContext {
    private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("127.0.0.1", 1);
    private static final List<Candidate> WORKERS = List.of(new Candidate(new UUID(1, 2), "127.0.0.1", 1));

    private final JobID id = new JobID();
    private final ShuffleControl control =
            ShuffleControl.open(new ClientOptions(List.of(NOWHERE), null, 1, Duration.ofSeconds(1)));
    private final IntermediateDataSetID exchange = new IntermediateDataSetID();

    @AfterEach
    void close() {
        control.close();
    }

    private IntermediateResultPartitionID partition(int number) {
        return new IntermediateResultPartitionID(exchange, number);
    }

    private void begin(RemoteJob job, int number) {
        job.begin(new ResultPartitionID(partition(number), ExecutionAttemptID.randomId()), WORKERS);
    }

    @Test
    void partitionsOfAnExchangeThatWentToNettyAreNotAskedOfWorkersLater() throws Exception {
        RemoteJob job = new RemoteJob(this, control, "");
        job.beginElsewhere(partition(0));
        begin(job, 1);
        job.beginElsewhere(partition(2));
        begin(job, 3);
        job.beginElsewhere(partition(3));
        begin(job, 2);
        byte[] bytes = InstantiationUtil.serializeObject(job.snapshot());
        begin(job, 0);
        ExchangeSnapshot snapshot =
                InstantiationUtil.deserializeObject(bytes, getClass().getClassLoader());
        RemoteJob later = new RemoteJob(this, control, "");
        later.restore(snapshot);
        assertThat(List.of(0, 1, 2, 3))
                .filteredOn(each -> later.isRemote(partition(each)))
                .containsExactly(1, 2);
        assertThat(later.isRemote(new IntermediateResultPartitionID(new IntermediateDataSetID(), 1)))
                .isFalse();
    }

    /** As application clusters with high availability have, which Flink gives ids made of their options. */
    @Test
    void jobsOfTwoClustersWithOneIdAreTwoJobsToTheWorkers() throws Exception {
        ResultPartitionID partition = new ResultPartitionID(partition(0), ExecutionAttemptID.randomId());
        List<PartitionKey> keys = new ArrayList<>();
        for (String storage : List.of("s3://bucket/a", "s3://bucket/b", "s3://bucket/a")) {
            Configuration configuration = new Configuration();
            configuration.setString("high-availability.type", "zookeeper");
            configuration.setString("high-availability.storageDir", storage);
            RemoteJob job = new RemoteJob(
                    this, control, ShuffleSettings.of(configuration).cluster());
            DreyShuffleDescriptor sent = InstantiationUtil.clone(job.begin(partition, WORKERS));
            assertThat(sent.job()).isEqualTo(id);
            keys.add(sent.remoteId());
        }
        assertThat(keys.get(1)).isNotEqualTo(keys.get(0));
        assertThat(keys.get(2)).as("of the next job manager").isEqualTo(keys.get(0));
        RemoteJob alone = new RemoteJob(
                this, control, ShuffleSettings.of(new Configuration()).cluster());
        assertThat(alone.begin(partition, WORKERS).remoteId().job()).isEqualTo(id.toHexString());
    }

    @Override
    public JobID getJobId() {
        return id;
    }

    @Override
    public CompletableFuture<?> stopTrackingAndReleasePartitions(Collection<ResultPartitionID> partitions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Collection<PartitionWithMetrics>> getPartitionWithMetrics(
            Duration timeout, Set<ResultPartitionID> expected) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void notifyPartitionRecoveryStarted() {
        throw new UnsupportedOperationException();
    }
}
