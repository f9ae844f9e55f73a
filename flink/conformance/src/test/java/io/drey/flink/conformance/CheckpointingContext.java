package io.drey.flink.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.ttl.StateBackendTestContext;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** Creates, snapshots and restores the backend under test for Flink's suites of time to live. */
class CheckpointingContext extends StateBackendTestContext {

    CheckpointingContext(TtlTimeProvider time) {
        super(time);
    }

    @Override
    protected StateBackend createStateBackend() {
        try {
            return BackendUnderTest.selected().create();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
