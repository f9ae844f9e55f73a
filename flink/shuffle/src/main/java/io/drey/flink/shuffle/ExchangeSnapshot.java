package io.drey.flink.shuffle;

import java.util.BitSet;
import java.util.Map;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.shuffle.ShuffleMasterSnapshot;

/** Tells a later JobManager which partitions of each exchange of a job were given to the workers. */
record ExchangeSnapshot(Map<IntermediateDataSetID, BitSet> remote) implements ShuffleMasterSnapshot {
    private static final long serialVersionUID = 2L;

    /** Each snapshot has all exchanges: they are few. */
    @Override
    public boolean isIncremental() {
        return false;
    }
}
