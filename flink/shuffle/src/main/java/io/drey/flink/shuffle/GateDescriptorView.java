package io.drey.flink.shuffle;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.blob.PermanentBlobKey;
import org.apache.flink.runtime.blob.PermanentBlobService;
import org.apache.flink.runtime.deployment.InputGateDeploymentDescriptor;
import org.apache.flink.runtime.deployment.TaskDeploymentDescriptorFactory.ShuffleDescriptorGroup;
import org.apache.flink.runtime.executiongraph.IndexRange;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;
import org.apache.flink.runtime.util.GroupCache;

/** Shows our descriptors in a gate as Netty's, whose class Flink compares exactly; all else is as it was. */
final class GateDescriptorView extends InputGateDeploymentDescriptor {
    private static final long serialVersionUID = 1L;

    private final transient InputGateDeploymentDescriptor gate;

    GateDescriptorView(InputGateDeploymentDescriptor gate) {
        super(gate.getConsumedResultId(), gate.getConsumedPartitionType(), new IndexRange(0, 0), 1, List.of());
        this.gate = gate;
    }

    @Override
    public int getNumConsumedShuffleDescriptors() {
        return gate.getNumConsumedShuffleDescriptors();
    }

    @Override
    public Collection<IndexRange> getConsumedShuffleDescriptorRanges() {
        return gate.getConsumedShuffleDescriptorRanges();
    }

    @Override
    public IndexRange getConsumedSubpartitionRange(int shuffleDescriptorIndex) {
        return gate.getConsumedSubpartitionRange(shuffleDescriptorIndex);
    }

    @Override
    public ShuffleDescriptor[] getShuffleDescriptors() {
        ShuffleDescriptor[] descriptors = gate.getShuffleDescriptors().clone();
        for (int i = 0; i < descriptors.length; i++) {
            descriptors[i] = RemoteAddress.shown(descriptors[i]);
        }
        return descriptors;
    }

    @Override
    public void tryLoadAndDeserializeShuffleDescriptors(
            PermanentBlobService blobs, JobID job, GroupCache<JobID, PermanentBlobKey, ShuffleDescriptorGroup> cache)
            throws IOException {
        gate.tryLoadAndDeserializeShuffleDescriptors(blobs, job, cache);
    }

    @Override
    public String toString() {
        return gate.toString();
    }
}
