package io.drey.flink.shuffle;

import io.drey.shuffle.client.Commit;
import io.drey.shuffle.client.JobLease;
import io.drey.shuffle.client.ShuffleControl;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.executiongraph.ResultPartitionBytes;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.shuffle.DefaultPartitionWithMetrics;
import org.apache.flink.runtime.shuffle.DefaultShuffleMetrics;
import org.apache.flink.runtime.shuffle.JobShuffleContext;
import org.apache.flink.runtime.shuffle.PartitionWithMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job's partitions that the workers have, and its lease on them. Thread-safe. */
final class RemoteJob {
    private static final Logger LOG = LoggerFactory.getLogger("io.drey.flink.shuffle");

    private final JobShuffleContext context;
    private final JobLease lease;
    private final Set<IntermediateDataSetID> exchanges = new HashSet<>();
    private final Map<PartitionKey, ResultPartitionID> partitions = new HashMap<>();

    RemoteJob(JobShuffleContext context, ShuffleControl workers) {
        this.context = context;
        lease = workers.lease(PartitionNames.of(context.getJobId()), this::lost);
    }

    void add(DreyShuffleDescriptor descriptor) {
        ResultPartitionID partition = descriptor.getResultPartitionID();
        synchronized (this) {
            exchanges.add(partition.getPartitionId().getIntermediateDataSetID());
            partitions.put(descriptor.remoteId(), partition);
        }
        lease.renewAt(descriptor.candidates());
    }

    void remove(DreyShuffleDescriptor descriptor) {
        PartitionKey id = descriptor.remoteId();
        synchronized (this) {
            partitions.remove(id);
        }
        lease.forget(id);
    }

    synchronized Set<IntermediateDataSetID> exchanges() {
        return new HashSet<>(exchanges);
    }

    synchronized void restore(Set<IntermediateDataSetID> earlier) {
        exchanges.addAll(earlier);
    }

    /** Called when a worker is lost for good, with all of the job that it took along. */
    private void lost(Collection<PartitionKey> gone) {
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

    /** Those of the partitions that workers have, by their own word. */
    CompletableFuture<Collection<PartitionWithMetrics>> recover(Set<ResultPartitionID> expected, Duration wait) {
        return lease.commits(wait).thenApply(commits -> {
            Collection<PartitionWithMetrics> found = new ArrayList<>();
            for (ResultPartitionID partition : expected) {
                Commit commit = commits.get(PartitionNames.of(context.getJobId(), partition));
                if (commit != null) {
                    DreyShuffleDescriptor descriptor =
                            new DreyShuffleDescriptor(context.getJobId(), partition, commit.holders());
                    add(descriptor);
                    found.add(new DefaultPartitionWithMetrics(
                            descriptor,
                            new DefaultShuffleMetrics(new ResultPartitionBytes(commit.subpartitionBytes()))));
                }
            }
            return found;
        });
    }

    void close() {
        lease.close();
    }
}
