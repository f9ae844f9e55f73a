package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
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
        RecordTexts.schemaNow = 1;
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

    /** Two restarts: the class has changed before the first, and the state is used after the second. */
    @Test
    void valuesThatNobodyUsesAreCheckpointedWithTheSchemaThatTheyHave() throws Exception {
        KeyedStateHandle handle = written(ALL, new RecordTexts());
        RecordTexts.schemaNow = 2;
        open(ALL, handle);
        open(ALL, fixture.fullCheckpoint(backend, 2));
        KeyedStateHandle savepoint = fixture.canonicalSavepoint(backend, 3);
        assertHeld(use(new RecordTexts()));
        KeyedStateHandle used = fixture.fullCheckpoint(backend, 4);
        open(ALL, savepoint);
        assertHeld(use(new RecordTexts()));
        RecordTexts.schemaNow = 3;
        open(ALL, used);
        assertHeld(use(new RecordTexts()));
    }

    @Test
    void aSubtaskThatUsesAStateDuringACheckpointDoesNotChangeWhatThatSays() throws Exception {
        open(ALL);
        list(new RecordTexts()).add("text");
        KeyedStateHandle handle = fixture.fullCheckpoint(backend, 1);
        RecordTexts.schemaNow = 2;
        open(ALL, handle);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> checkpoint = backend.snapshot(
                2,
                2,
                fixture.streams(),
                new CheckpointOptions(CheckpointType.FULL_CHECKPOINT, CheckpointStorageLocationReference.getDefault()));
        assertThat(list(new RecordTexts()).get()).containsExactly("text");
        checkpoint.run();
        handle = checkpoint.get().getJobManagerOwnedSnapshot();
        assertThat(states(handle)).contains("RecordTexts").doesNotContain("TtlAware");
        open(ALL, handle);
        assertThat(list(new RecordTexts()).get()).containsExactly("text");
    }

    private ListState<String> list(TypeSerializer<String> serializer) throws Exception {
        ListState<String> list = backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ListStateDescriptor<>("list", serializer));
        backend.setCurrentKey("k");
        return list;
    }

    private static String states(KeyedStateHandle handle) throws IOException {
        try (InputStream in = ((IncrementalRemoteKeyedStateHandle) handle)
                .getMetaDataStateHandle()
                .openInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void aSnapshotThatDoesNotWriteWhatItHasReadIsMadeAnewByItsSerializer() throws Exception {
        for (int version = 1; version <= 2; version++) {
            open(ALL, written(ALL, new OnceWrittenTexts(version)));
            open(ALL, fixture.fullCheckpoint(backend, 2));
            open(ALL, fixture.fullCheckpoint(backend, 3));
            assertHeld(use(new OnceWrittenTexts(version)));
        }
    }
}
