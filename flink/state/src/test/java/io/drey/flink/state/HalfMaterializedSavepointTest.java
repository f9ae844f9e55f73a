package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Under the changelog a canonical savepoint is listed until each subtask has materialized. */
class HalfMaterializedSavepointTest {
    @TempDir
    Path directory;

    private static InternalValueState<String, VoidNamespace, String> state(AbstractKeyedStateBackend<String> backend)
            throws Exception {
        InternalValueState<String, VoidNamespace, String> state = backend.createOrUpdateInternalState(
                VoidNamespaceSerializer.INSTANCE, new ValueStateDescriptor<>("s", StringSerializer.INSTANCE));
        state.setCurrentNamespace(VoidNamespace.INSTANCE);
        return state;
    }

    private static void end(AbstractKeyedStateBackend<String> backend) throws Exception {
        backend.close();
        backend.dispose();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aChangeOfParallelismBetweenTwoMaterializations(boolean savepointFirst) throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory)) {
            AbstractKeyedStateBackend<String> all =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            InternalValueState<String, VoidNamespace, String> state = state(all);
            for (int i = 0; i < 100; i++) {
                all.setCurrentKey("k" + i);
                state.update("v" + i);
            }
            KeyedStateHandle savepoint = fixture.canonicalSavepoint(all, 1);
            end(all);

            // Restored with two subtasks; the first one has materialized, the second one lists the savepoint still.
            KeyedStateHandle low = savepoint.getIntersection(new KeyGroupRange(0, 4));
            KeyedStateHandle high = savepoint.getIntersection(new KeyGroupRange(5, 9));
            AbstractKeyedStateBackend<String> first = fixture.open(
                    new DreyStateBackend(), StringSerializer.INSTANCE, new KeyGroupRange(0, 4), List.of(low));
            state(first);
            KeyedStateHandle materialized = fixture.completed(first);
            end(first);

            List<KeyedStateHandle> handles =
                    new ArrayList<>(savepointFirst ? List.of(high, materialized) : List.of(materialized, high));
            AbstractKeyedStateBackend<String> one =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, handles);
            state = state(one);
            for (int i = 0; i < 100; i++) {
                one.setCurrentKey("k" + i);
                assertThat(state.value()).isEqualTo("v" + i);
            }
            end(one);
        }
    }
}
