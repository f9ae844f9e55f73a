package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.options.DreyOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.testutils.statemigration.TestType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A state that one subtask has migrated to another schema, and another one has not used yet, before a change of parallelism. */
class PartlyMigratedTest {
    private static final int MIDDLE = BackendFixture.KEY_GROUPS / 2;
    private static final KeyGroupRange LEFT = new KeyGroupRange(0, MIDDLE - 1);
    private static final KeyGroupRange RIGHT = new KeyGroupRange(MIDDLE, BackendFixture.KEY_GROUPS - 1);
    private static final KeyGroupRange ALL = new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1);
    private static final int KEYS = 100;

    @TempDir
    Path directory;

    private final Configuration options = new Configuration();
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
        backend = fixture.open(new DreyStateBackend(options), StringSerializer.INSTANCE, keyGroups, List.of(handles));
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
            fill(plain);
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

    private State register(StateDescriptor<?, ?> descriptor) throws Exception {
        return backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    @SuppressWarnings("unchecked")
    private void fill(StateDescriptor<?, ?> descriptor) throws Exception {
        State state = register(descriptor);
        for (int i = 0; i < KEYS; i++) {
            backend.setCurrentKey("k" + i);
            switch (descriptor.getType()) {
                case VALUE -> ((ValueState<String>) state).update("v" + i);
                case LIST -> ((ListState<String>) state).add("v" + i);
                default -> ((MapState<String, String>) state).put("m", "v" + i);
            }
        }
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

    private static boolean isIn(KeyGroupRange keyGroups, String key) {
        return keyGroups.contains(KeyGroupRangeAssignment.assignToKeyGroup(key, BackendFixture.KEY_GROUPS));
    }

    /** Values of before under keys of some key groups only. */
    private KeyedStateHandle written(KeyGroupRange keyGroups) throws Exception {
        open(ALL);
        ValueState<TestType> state = state(new TestType.V1TestTypeSerializer());
        for (int i = 0; i < KEYS; i++) {
            if (isIn(keyGroups, "k" + i)) {
                backend.setCurrentKey("k" + i);
                state.update(new TestType("v" + i, i));
            }
        }
        return fixture.fullCheckpoint(backend, 1);
    }

    private KeyedStateHandle untouched(KeyGroupRange keyGroups, KeyedStateHandle handle) throws Exception {
        open(keyGroups, handle);
        return fixture.fullCheckpoint(backend, 3);
    }

    private void assertHolds(KeyGroupRange keyGroups) throws Exception {
        ValueState<TestType> state = state(new TestType.V2TestTypeSerializer());
        for (int i = 0; i < KEYS; i++) {
            if (isIn(backend.getKeyGroupRange(), "k" + i)) {
                backend.setCurrentKey("k" + i);
                assertThat(state.value()).isEqualTo(isIn(keyGroups, "k" + i) ? new TestType("v" + i, i) : null);
            }
        }
    }

    /** A subtask that never uses the state would never migrate it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPartWithoutEntriesHasNoSchemaOfItsOwn(boolean lazy) throws Exception {
        fixture.close();
        fixture = new BackendFixture(directory, new QueuedTasks());
        fixture.storage(directory.resolve("storage"));
        options.set(DreyOptions.RESTORE_LAZY, lazy);
        for (KeyGroupRange half : List.of(LEFT, RIGHT)) {
            KeyGroupRange otherHalf = half.equals(LEFT) ? RIGHT : LEFT;
            KeyedStateHandle written = written(half);
            open(ALL, used(half, written, 2), untouched(otherHalf, written));
            KeyedStateHandle merged = fixture.fullCheckpoint(backend, 4);
            assertHolds(half);
            open(ALL, merged);
            assertHolds(half);
            open(ALL, untouched(half, written), used(otherHalf, written, 2));
            assertHolds(half);
        }
    }

    private KeyedStateHandle savepoint(KeyGroupRange keyGroups, KeyedStateHandle handle, boolean uses)
            throws Exception {
        open(keyGroups, handle);
        if (uses) {
            state(new TestType.V2TestTypeSerializer());
        }
        return fixture.canonicalSavepoint(backend, 2);
    }

    /** Savepoints of all backends: they say of each state by what it would be written, also if none was. */
    @Test
    void aPartOfACanonicalSavepointWithoutRowsHasNoSchemaEither() throws Exception {
        for (KeyGroupRange half : List.of(LEFT, RIGHT)) {
            KeyGroupRange otherHalf = half.equals(LEFT) ? RIGHT : LEFT;
            KeyedStateHandle written = written(half);
            open(ALL, savepoint(half, written, true), savepoint(otherHalf, written, false));
            assertHolds(half);
            open(ALL, savepoint(otherHalf, written, true), savepoint(half, written, false));
            assertHolds(half);
            KeyedStateHandle both = written(ALL);
            KeyedStateHandle migrated = savepoint(half, both, true);
            KeyedStateHandle untouched = savepoint(otherHalf, both, false);
            assertThatThrownBy(() -> open(ALL, migrated, untouched))
                    .hasStackTraceContaining("expected state typed to have one schema in all parts of the snapshot");
            open(ALL, savepoint(otherHalf, written, true));
            assertThatThrownBy(() -> register(new ListStateDescriptor<>("typed", StringSerializer.INSTANCE)))
                    .as("a state without rows")
                    .hasStackTraceContaining("Incompatible key/value state types");
        }
    }

    @Test
    void entriesThatAnotherSubtaskTakesDoNotCount() throws Exception {
        KeyGroupRange end = new KeyGroupRange(MIDDLE + 2, BackendFixture.KEY_GROUPS - 1);
        KeyedStateHandle written = written(end);
        KeyedStateHandle migrated = used(LEFT, written, 2);
        KeyedStateHandle untouched = untouched(RIGHT, written);
        open(new KeyGroupRange(0, MIDDLE + 1), migrated, untouched);
        assertHolds(end);
        open(end, untouched);
        assertHolds(end);
    }

    @Test
    void aStateWithoutAnyEntriesIsNotRefused() throws Exception {
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
            open(ALL, fixture.fullCheckpoint(backend, 2), untouched(RIGHT, written));
            register(timed);
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
