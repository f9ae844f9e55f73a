package io.drey.flink.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A defect of Flink's changelog wrapper, with any backend under it: after a change of parallelism both new subtasks
 * carry the whole log of before on, and after the next change all of it is applied for each of them, also over what
 * came later. {@code StateChangelogHandleStreamHandleReader} reads past the key groups of its handle, and
 * {@code ChangelogBackendLogApplier} asks only for those of the new backend. When the first test fails, Flink has mended it.
 */
class ChangelogRescalingTest {
    private static final KeyGroupRange ALL = KeyGroupRange.of(0, 1);
    private static final KeyGroupRange FIRST = KeyGroupRange.of(0, 0);
    private static final KeyGroupRange SECOND = KeyGroupRange.of(1, 1);

    private ChangelogSubtasks subtasks;

    @BeforeEach
    void open(@TempDir Path directory) {
        subtasks = new ChangelogSubtasks(directory);
    }

    private static ValueState<String> state(CheckpointableKeyedStateBackend<Integer> backend) throws Exception {
        int key = 0;
        while (KeyGroupRangeAssignment.assignToKeyGroup(key, ChangelogSubtasks.KEY_GROUPS)
                != FIRST.getStartKeyGroup()) {
            key++;
        }
        backend.setCurrentKey(key);
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("state", StringSerializer.INSTANCE));
    }

    private String afterTwoChangesOfParallelism(BackendUnderTest backend, ChangelogUnderTest changelog)
            throws Exception {
        CheckpointableKeyedStateBackend<Integer> one = subtasks.open(backend, changelog, ALL, List.of());
        state(one).update("old");
        List<KeyedStateHandle> parents = List.of(subtasks.checkpoint(one));
        CheckpointableKeyedStateBackend<Integer> first = subtasks.open(backend, changelog, FIRST, parents);
        assertThat(state(first).value()).isEqualTo("old");
        state(first).update("new");
        CheckpointableKeyedStateBackend<Integer> second = subtasks.open(backend, changelog, SECOND, parents);
        List<KeyedStateHandle> both = List.of(subtasks.checkpoint(first), subtasks.checkpoint(second));
        CheckpointableKeyedStateBackend<Integer> again = subtasks.open(backend, changelog, ALL, both);
        String found = state(again).value();
        again.dispose();
        return found;
    }

    @ParameterizedTest
    @EnumSource(names = {"HASHMAP", "DREY"})
    void twoChangesOfParallelismBringBackWhatWasOverwritten(BackendUnderTest backend) throws Exception {
        assertThat(afterTwoChangesOfParallelism(backend, ChangelogUnderTest.FLINK))
                .isEqualTo("old");
    }

    @ParameterizedTest
    @EnumSource(names = {"HASHMAP", "DREY"})
    void withOurStorageTheyDoNot(BackendUnderTest backend) throws Exception {
        assertThat(afterTwoChangesOfParallelism(backend, ChangelogUnderTest.DREY))
                .isEqualTo("new");
    }
}
