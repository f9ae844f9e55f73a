package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a checkpoint says of the serializers of its states goes on with the values that they wrote. */
class RestoredSerializersTest {
    private static final int MIDDLE = BackendFixture.KEY_GROUPS / 2;
    private static final KeyGroupRange LEFT = new KeyGroupRange(0, MIDDLE - 1);
    private static final KeyGroupRange RIGHT = new KeyGroupRange(MIDDLE, BackendFixture.KEY_GROUPS - 1);
    private static final KeyGroupRange ALL = new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1);
    private static final int KEYS = 50;

    @TempDir
    Path directory;

    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;

    @BeforeEach
    void open() {
        fixture = new BackendFixture(directory);
    }

    @AfterEach
    void close() throws Exception {
        end();
        fixture.close();
    }

    private void end() throws Exception {
        if (backend != null) {
            backend.close();
            backend.dispose();
            backend = null;
        }
    }

    private void open(KeyGroupRange keyGroups, KeyedStateHandle... handles) throws Exception {
        end();
        backend = fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, keyGroups, List.of(handles));
    }

    private ValueState<String> use(TypeSerializer<String> serializer) throws Exception {
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("texts", serializer));
    }

    private boolean enter(String key) {
        boolean isOurs = backend.getKeyGroupRange()
                .contains(KeyGroupRangeAssignment.assignToKeyGroup(key, BackendFixture.KEY_GROUPS));
        if (isOurs) {
            backend.setCurrentKey(key);
        }
        return isOurs;
    }

    private KeyedStateHandle written(KeyGroupRange keyGroups, TypeSerializer<String> serializer) throws Exception {
        open(keyGroups);
        ValueState<String> state = use(serializer);
        for (int i = 0; i < KEYS; i++) {
            if (enter("k" + i)) {
                state.update("v" + i);
            }
        }
        return fixture.fullCheckpoint(backend, 1);
    }

    private void assertHeld(ValueState<String> state) throws Exception {
        for (int i = 0; i < KEYS; i++) {
            if (enter("k" + i)) {
                assertThat(state.value()).isEqualTo("v" + i);
            }
        }
    }

    @Test
    void partsAreMergedOfWhichTheSerializersSnapshotsCannotBeWrittenAgain() throws Exception {
        KeyedStateHandle left = written(LEFT, new OnceWrittenTexts(1));
        open(ALL, left, written(RIGHT, new OnceWrittenTexts(1)));
        assertHeld(use(new OnceWrittenTexts(1)));
        KeyedStateHandle other = written(RIGHT, new OnceWrittenTexts(2));
        assertThatThrownBy(() -> open(ALL, left, other))
                .hasStackTraceContaining("expected state texts to have one schema in all parts of the snapshot");
    }
}
