package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.testutils.statemigration.TestType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state that one subtask has migrated to another schema, and another one has not used yet, before a change of parallelism. */
class PartlyMigratedTest {
    private static final int MIDDLE = BackendFixture.KEY_GROUPS / 2;
    private static final KeyGroupRange LEFT = new KeyGroupRange(0, MIDDLE - 1);
    private static final KeyGroupRange RIGHT = new KeyGroupRange(MIDDLE, BackendFixture.KEY_GROUPS - 1);
    private static final KeyGroupRange ALL = new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1);
    private static final int KEYS = 100;

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

    private ValueState<TestType> state(TypeSerializer<TestType> serializer) throws Exception {
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("typed", serializer));
    }

    private KeyedStateHandle used(KeyGroupRange keyGroups, KeyedStateHandle handle, long checkpoint) throws Exception {
        open(keyGroups, handle);
        assertThat(state(new TestType.V2TestTypeSerializer())).isNotNull();
        return fixture.fullCheckpoint(backend, checkpoint);
    }

    private static List<StateDescriptor<?, ?>> ofEachKind() {
        StringSerializer text = StringSerializer.INSTANCE;
        return List.of(
                new ValueStateDescriptor<>("timed", text),
                new ListStateDescriptor<>("timed", text),
                new MapStateDescriptor<>("timed", text, text));
    }

    /** Values with the time of their last access are other values. */
    @Test
    void aTimeToLiveThatOneSubtaskHasBegunWithIsSuchASchema() throws Exception {
        for (StateDescriptor<?, ?> plain : ofEachKind()) {
            open(ALL);
            register(plain);
            KeyedStateHandle written = fixture.fullCheckpoint(backend, 1);
            StateDescriptor<?, ?> timed = ofEachKind().stream()
                    .filter(each -> each.getType() == plain.getType())
                    .findFirst()
                    .orElseThrow();
            timed.enableTimeToLive(
                    StateTtlConfig.newBuilder(Duration.ofHours(1)).build());
            open(LEFT, written);
            register(timed);
            KeyedStateHandle migrated = fixture.fullCheckpoint(backend, 2);
            open(RIGHT, written);
            KeyedStateHandle untouched = fixture.fullCheckpoint(backend, 3);
            end();
            for (KeyedStateHandle[] parents : new KeyedStateHandle[][] {{migrated, untouched}, {untouched, migrated}}) {
                assertThatThrownBy(() -> open(ALL, parents))
                        .as(plain.getType().toString())
                        .hasStackTraceContaining(
                                "expected state timed to have one schema in all parts of the snapshot");
            }
        }
    }

    private void register(StateDescriptor<?, ?> descriptor) throws Exception {
        backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    @Test
    void itIsRefusedAndNotReadWithTheWrongSchema() throws Exception {
        open(ALL);
        for (int i = 0; i < KEYS; i++) {
            backend.setCurrentKey("k" + i);
            state(new TestType.V1TestTypeSerializer()).update(new TestType("v" + i, i));
        }
        KeyedStateHandle written = fixture.fullCheckpoint(backend, 1);
        KeyedStateHandle migrated = used(LEFT, written, 2);
        open(RIGHT, written);
        KeyedStateHandle untouched = fixture.fullCheckpoint(backend, 3);
        end();
        for (KeyedStateHandle[] parents : new KeyedStateHandle[][] {{migrated, untouched}, {untouched, migrated}}) {
            assertThatThrownBy(() -> open(ALL, parents))
                    .hasStackTraceContaining("expected state typed to have one schema in all parts of the snapshot")
                    .hasStackTraceContaining("value serializer")
                    .hasStackTraceContaining("use the state in all subtasks");
        }
        KeyedStateHandle migratedToo = used(RIGHT, untouched, 4);
        open(ALL, migrated, migratedToo);
        for (int i = 0; i < KEYS; i++) {
            backend.setCurrentKey("k" + i);
            assertThat(state(new TestType.V2TestTypeSerializer()).value()).isEqualTo(new TestType("v" + i, i));
        }
    }

    private KeyedStateHandle withMap(
            TypeSerializer<TestType> keys,
            TypeSerializer<TestType> values,
            KeyGroupRange keyGroups,
            KeyedStateHandle... handles)
            throws Exception {
        open(keyGroups, handles);
        MapState<TestType, TestType> map = backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new MapStateDescriptor<>("map", keys, values));
        for (int i = 0; i < KEYS && handles.length == 0; i++) {
            backend.setCurrentKey("k" + i);
            map.put(new TestType("m", i), new TestType("v", i));
        }
        return fixture.fullCheckpoint(backend, 1);
    }

    /** Flink wraps the values' serializer of a map whose keys' serializer it reconfigured. */
    @Test
    void aMapWhoseKeysWereReconfiguredAfterItsValuesWereMigratedIsRefusedToo() throws Exception {
        TypeSerializer<TestType> before = new TestType.V1TestTypeSerializer();
        TypeSerializer<TestType> now = new TestType.V2TestTypeSerializer();
        KeyedStateHandle written = withMap(before, before, ALL);
        for (KeyGroupRange half : List.of(LEFT, RIGHT)) {
            KeyGroupRange otherHalf = half.equals(LEFT) ? RIGHT : LEFT;
            KeyedStateHandle migrated = withMap(before, now, half, written);
            KeyedStateHandle reconfigured =
                    withMap(new TestType.ReconfigurationRequiringTestTypeSerializer(), now, half, migrated);
            open(otherHalf, written);
            KeyedStateHandle untouched = fixture.fullCheckpoint(backend, 3);
            end();
            assertThatThrownBy(() -> open(ALL, reconfigured, untouched))
                    .hasStackTraceContaining("expected state map to have one schema in all parts of the snapshot");
            withMap(before, now, ALL, reconfigured, withMap(before, now, otherHalf, untouched));
        }
    }
}
