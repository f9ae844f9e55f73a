package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Canonical savepoints, which have no checksums, with bytes that changed. */
class DamagedCanonicalSavepointTest {
    /** Bytes of the state's number before the first row of a key group, and of the length of the row's key. */
    private static final int NUMBER_BYTES = 2;

    private static final int LENGTH_BYTES = 4;

    @TempDir
    Path directory;

    private BackendFixture fixture;

    @BeforeEach
    void openFixture() {
        fixture = new BackendFixture(directory);
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    @Test
    void aRowOfAnotherKeyGroupIsRefused() throws Exception {
        assertThatThrownBy(() -> restore(damaged(NUMBER_BYTES + LENGTH_BYTES, 1)))
                .rootCause()
                .isInstanceOf(IOException.class)
                .hasMessageMatching(
                        "expected a row of key group \\d in a canonical savepoint, found one of \\d+: it is damaged.*");
    }

    @Test
    void aRowOfAStateThatIsNotInTheSavepointIsRefused() throws Exception {
        assertIsNamed(damaged(1, 77));
    }

    @Test
    void aLengthBelowZeroIsRefused() throws Exception {
        assertIsNamed(damaged(NUMBER_BYTES, 0x80));
    }

    @Test
    void oneThatEndsEarlyIsRefused() throws Exception {
        assertIsNamed(damaged(NUMBER_BYTES + LENGTH_BYTES - 1, 1 << 5));
    }

    private void assertIsNamed(KeyedStateHandle savepoint) {
        assertThatThrownBy(() -> restore(savepoint))
                .hasStackTraceContaining(" of a canonical savepoint cannot be read: ")
                .hasStackTraceContaining(": it is damaged, restore from another");
    }

    private void restore(KeyedStateHandle savepoint) throws Exception {
        AbstractKeyedStateBackend<String> backend =
                fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(savepoint));
        backend.close();
        backend.dispose();
    }

    /** A savepoint of one row, one byte of whose key group is changed by so many bits. */
    private KeyedStateHandle damaged(int at, int bits) throws Exception {
        AbstractKeyedStateBackend<String> backend =
                fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
        ValueState<String> state = backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("s", StringSerializer.INSTANCE));
        backend.setCurrentKey("key");
        int keyGroup = backend.getCurrentKeyGroupIndex();
        state.update("value");
        KeyGroupsStateHandle handle = (KeyGroupsStateHandle) fixture.canonicalSavepoint(backend, 1);
        backend.close();
        backend.dispose();
        KeyGroupRangeOffsets offsets = handle.getGroupRangeOffsets();
        byte[] bytes = handle.getDelegateStateHandle().asBytesIfInMemory().orElseThrow();
        bytes[(int) offsets.getKeyGroupOffset(keyGroup) + at] ^= (byte) bits;
        return new KeyGroupsSavepointStateHandle(offsets, new ByteStreamStateHandle("damaged", bytes));
    }
}
