package io.drey.flink.shuffle;

import io.drey.shuffle.client.Candidate;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;

/**
 * Tells producer and consumers of a partition its name with the workers, and the workers that may hold it. Immutable.
 */
final class DreyShuffleDescriptor implements ShuffleDescriptor {
    private static final long serialVersionUID = 1L;

    private final JobID job;
    private final String remoteJob;
    private final ResultPartitionID partition;
    private final long[] workers;
    private final String[] hosts;
    private final int[] ports;

    /** @param remoteJob the job's name with the workers */
    DreyShuffleDescriptor(JobID job, String remoteJob, ResultPartitionID partition, List<Candidate> candidates) {
        this.job = job;
        this.remoteJob = remoteJob;
        this.partition = partition;
        workers = new long[2 * candidates.size()];
        hosts = new String[candidates.size()];
        ports = new int[candidates.size()];
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            workers[2 * i] = candidate.worker().getMostSignificantBits();
            workers[2 * i + 1] = candidate.worker().getLeastSignificantBits();
            hosts[i] = candidate.host();
            ports[i] = candidate.port();
        }
    }

    PartitionKey remoteId() {
        return PartitionNames.of(remoteJob, partition);
    }

    /** The workers in the order in which a writer and a reader ask them. */
    List<Candidate> candidates() {
        List<Candidate> candidates = new ArrayList<>(hosts.length);
        for (int i = 0; i < hosts.length; i++) {
            candidates.add(new Candidate(new UUID(workers[2 * i], workers[2 * i + 1]), hosts[i], ports[i]));
        }
        return candidates;
    }

    JobID job() {
        return job;
    }

    @Override
    public ResultPartitionID getResultPartitionID() {
        return partition;
    }

    /** None: the partition outlives its task manager. */
    @Override
    public Optional<ResourceID> storesLocalResourcesOn() {
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "partition " + partition + " of job " + job + " with shuffle workers " + candidates();
    }
}
