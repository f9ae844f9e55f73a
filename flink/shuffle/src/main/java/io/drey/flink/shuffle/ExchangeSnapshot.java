package io.drey.flink.shuffle;

import java.util.Set;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.shuffle.ShuffleMasterSnapshot;

/** Tells a later JobManager which exchanges of a job were given to the workers. */
record ExchangeSnapshot(Set<IntermediateDataSetID> exchanges) implements ShuffleMasterSnapshot {
    private static final long serialVersionUID = 1L;

    /** Each snapshot has all exchanges: they are few. */
    @Override
    public boolean isIncremental() {
        return false;
    }
}
