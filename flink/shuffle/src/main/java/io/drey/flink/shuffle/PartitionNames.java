package io.drey.flink.shuffle;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.jobgraph.IntermediateResultPartitionID;

/**
 * Names of Flink's partitions with the workers. The attempt has 40 bits of the execution graph's id above 24 bits of
 * Flink's attempt number: a job that starts again at attempt 0 in a new JobManager never meets files of an earlier one.
 */
final class PartitionNames {
    static final int ATTEMPT_BITS = 24;

    private static final int GRAPH_AT = 20;

    private PartitionNames() {}

    /** @param cluster of {@link ShuffleSettings}: jobs of two clusters may have one id */
    static String of(JobID job, String cluster) {
        return cluster.isEmpty() ? job.toHexString() : job.toHexString() + "-" + cluster;
    }

    static PartitionKey of(String job, ResultPartitionID partition) {
        IntermediateResultPartitionID result = partition.getPartitionId();
        int number = partition.getProducerId().getAttemptNumber();
        if (number >>> ATTEMPT_BITS != 0) {
            throw new IllegalStateException("expected fewer than " + (1 << ATTEMPT_BITS) + " attempts of a task, found "
                    + number + " for " + partition + ": submit the job again");
        }
        // The bytes of a partition's id: data set 16, number 4, graph 16, vertex 20, attempt 4.
        ByteBuffer bytes = ByteBuffer.wrap(partition.getBytes());
        long graph = bytes.getLong(GRAPH_AT) * 0x9e3779b97f4a7c15L + bytes.getLong(GRAPH_AT + Long.BYTES);
        graph = (graph ^ graph >>> 32) * 0xd6e8feb86659fd93L;
        long attempt = (graph ^ graph >>> 32) << ATTEMPT_BITS | number;
        return new PartitionKey(
                job, result.getIntermediateDataSetID().toHexString(), result.getPartitionNumber(), attempt);
    }
}
