package io.drey.flink.shuffle;

import io.drey.shuffle.client.Candidate;
import io.drey.shuffle.client.Commit;
import io.drey.shuffle.client.JobLease;
import io.drey.shuffle.client.ShuffleControl;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.executiongraph.ResultPartitionBytes;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.jobgraph.IntermediateResultPartitionID;
import org.apache.flink.runtime.shuffle.DefaultPartitionWithMetrics;
import org.apache.flink.runtime.shuffle.DefaultShuffleMetrics;
import org.apache.flink.runtime.shuffle.JobShuffleContext;
import org.apache.flink.runtime.shuffle.PartitionWithMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job's partitions that the workers have, and its lease on them. Thread-safe. */
final class RemoteJob implements JobLease.Owner {
    private static final Logger LOG = LoggerFactory.getLogger("io.drey.flink.shuffle");

    private final JobShuffleContext context;
    private final String name;
    private final JobLease lease;

    /** Of each exchange, the partitions whose last attempt was given to workers. */
    private final Map<IntermediateDataSetID, BitSet> remote = new HashMap<>();

    private final Map<PartitionKey, ResultPartitionID> partitions = new HashMap<>();

    /** @param context whose calls are made in the job master's own thread */
    RemoteJob(JobShuffleContext context, ShuffleControl workers, String cluster) {
        this.context = context;
        name = PartitionNames.of(context.getJobId(), cluster);
        lease = workers.lease(name, this);
    }

    /** Flink begins an attempt at a partition, by the workers: all that it knows of from earlier is here by now. */
    DreyShuffleDescriptor begin(ResultPartitionID partition, List<Candidate> candidates) {
        DreyShuffleDescriptor descriptor = add(partition, candidates);
        lease.keepNothingElse();
        return descriptor;
    }

    private DreyShuffleDescriptor add(ResultPartitionID partition, List<Candidate> candidates) {
        DreyShuffleDescriptor descriptor = new DreyShuffleDescriptor(context.getJobId(), name, partition, candidates);
        IntermediateResultPartitionID id = partition.getPartitionId();
        synchronized (this) {
            remote.computeIfAbsent(id.getIntermediateDataSetID(), any -> new BitSet())
                    .set(id.getPartitionNumber());
            partitions.put(descriptor.remoteId(), partition);
        }
        lease.keep(descriptor.remoteId(), candidates);
        return descriptor;
    }

    /** Flink begins an attempt at a partition, without the workers. */
    synchronized void beginElsewhere(IntermediateResultPartitionID partition) {
        BitSet numbers = remote.get(partition.getIntermediateDataSetID());
        if (numbers != null) {
            numbers.clear(partition.getPartitionNumber());
        }
    }

    void remove(DreyShuffleDescriptor descriptor) {
        PartitionKey id = descriptor.remoteId();
        synchronized (this) {
            partitions.remove(id);
        }
        lease.forget(id);
    }

    synchronized ExchangeSnapshot snapshot() {
        Map<IntermediateDataSetID, BitSet> copy = new HashMap<>();
        remote.forEach((exchange, numbers) -> copy.put(exchange, (BitSet) numbers.clone()));
        return new ExchangeSnapshot(copy);
    }

    synchronized void restore(ExchangeSnapshot snapshot) {
        snapshot.remote().forEach((exchange, numbers) -> remote.put(exchange, (BitSet) numbers.clone()));
    }

    synchronized boolean isRemote(IntermediateResultPartitionID partition) {
        BitSet numbers = remote.get(partition.getIntermediateDataSetID());
        return numbers != null && numbers.get(partition.getPartitionNumber());
    }

    @Override
    public void lost(Collection<PartitionKey> gone) {
        List<ResultPartitionID> results = new ArrayList<>();
        synchronized (this) {
            for (PartitionKey id : gone) {
                ResultPartitionID result = partitions.remove(id);
                if (result != null) {
                    results.add(result);
                }
            }
        }
        if (results.isEmpty()) {
            return;
        }
        LOG.warn("Job {} lost {} partitions with a shuffle worker: {}", context.getJobId(), results.size(), results);
        context.stopTrackingAndReleasePartitions(results).whenComplete((done, error) -> {
            if (error != null) {
                LOG.warn(
                        "Job {} could not be told of lost partitions; readers will find out.",
                        context.getJobId(),
                        error);
            }
        });
    }

    @Override
    public void refused(String why) {
        LOG.warn("The data of job {} may go while it runs: {}", context.getJobId(), why);
    }

    /** Those of the partitions that workers have, by their own word. */
    CompletableFuture<Collection<PartitionWithMetrics>> recover(Set<ResultPartitionID> expected, Duration wait) {
        List<PartitionKey> wanted =
                expected.stream().map(each -> PartitionNames.of(name, each)).toList();
        return lease.commits(wanted, wait).thenApply(commits -> {
            Collection<PartitionWithMetrics> found = new ArrayList<>();
            for (ResultPartitionID partition : expected) {
                Commit commit = commits.get(PartitionNames.of(name, partition));
                if (commit != null) {
                    found.add(new DefaultPartitionWithMetrics(
                            add(partition, commit.holders()),
                            new DefaultShuffleMetrics(new ResultPartitionBytes(commit.subpartitionBytes()))));
                }
            }
            lease.keepNothingElse();
            return found;
        });
    }

    void close() {
        lease.close();
    }
}
