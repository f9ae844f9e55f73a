package io.drey.flink.conformance;

import org.apache.flink.runtime.state.ttl.StateBackendTestContext;
import org.apache.flink.runtime.state.ttl.TtlStateTestBase;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** The suite of {@link TtlSuiteTest} again, with a canonical savepoint wherever it takes a snapshot. */
class TtlSavepointSuiteTest extends TtlStateTestBase {

    @Override
    protected StateBackendTestContext createStateBackendTestContext(TtlTimeProvider time) {
        return new SavepointingContext(time);
    }

    @Override
    public boolean isSavepoint() {
        return true;
    }

    @Override
    protected boolean incrementalCleanupSupported() {
        return BackendUnderTest.selected().cleansUpIncrementally();
    }
}
