package io.drey.flink.conformance;

import org.apache.flink.runtime.state.ttl.StateBackendTestContext;
import org.apache.flink.runtime.state.ttl.TtlStateTestBase;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** Flink's suite for state with a time to live, restored from checkpoints. */
class TtlSuiteTest extends TtlStateTestBase {

    @Override
    protected StateBackendTestContext createStateBackendTestContext(TtlTimeProvider time) {
        return new CheckpointingContext(time);
    }

    /** Flink's name for "expired entries are dropped as the snapshot is written". */
    @Override
    public boolean isSavepoint() {
        return BackendUnderTest.selected().checkpointsAreTransformed();
    }

    @Override
    protected boolean incrementalCleanupSupported() {
        return BackendUnderTest.selected().cleansUpIncrementally();
    }
}
