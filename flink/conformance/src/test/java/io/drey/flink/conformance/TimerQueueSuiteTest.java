package io.drey.flink.conformance;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.InternalPriorityQueue;
import org.apache.flink.runtime.state.InternalPriorityQueueTestBase;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.junit.jupiter.api.AfterEach;

/** Flink's suite for the queues that hold timers, on the queues that a keyed backend creates. */
class TimerQueueSuiteTest extends InternalPriorityQueueTestBase {

    private final List<AutoCloseable> opened = new ArrayList<>();

    @Override
    protected InternalPriorityQueue<TestElement> newPriorityQueue(int initialCapacity) {
        try {
            MockEnvironment environment = MockEnvironment.builder()
                    .setMaxParallelism(KEY_GROUP_RANGE.getNumberOfKeyGroups())
                    .build();
            opened.add(environment);
            CheckpointableKeyedStateBackend<Long> backend = BackendUnderTest.selected()
                    .create()
                    .createKeyedStateBackend(new KeyedStateBackendParametersImpl<>(
                            environment,
                            new JobID(),
                            "timers",
                            LongSerializer.INSTANCE,
                            KEY_GROUP_RANGE.getNumberOfKeyGroups(),
                            KEY_GROUP_RANGE,
                            environment.getTaskKvStateRegistry(),
                            TtlTimeProvider.DEFAULT,
                            new UnregisteredMetricsGroup(),
                            List.of(),
                            new CloseableRegistry()));
            opened.add(() -> {
                backend.close();
                backend.dispose();
            });
            return backend.create("timers", TestElementSerializer.INSTANCE);
        } catch (Exception e) {
            throw new IllegalStateException("Cannot create a keyed backend for its timer queue", e);
        }
    }

    @Override
    protected boolean testSetSemanticsAgainstDuplicateElements() {
        return true;
    }

    @AfterEach
    void closeEverything() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }
}
