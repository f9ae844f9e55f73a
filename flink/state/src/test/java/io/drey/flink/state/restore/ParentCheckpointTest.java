package io.drey.flink.state.restore;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.junit.jupiter.api.Test;

class ParentCheckpointTest {
    /** Clients of some storages throw what is no IOException. */
    @Test
    void whateverAStorageThrowsTheManifestThatCannotBeReadIsNamed() {
        RuntimeException denied = new IllegalStateException("403, denied");
        FileStateHandle manifest = new FileStateHandle(new Path("s3://bucket/shared/drey-1-1-00000000000000aa"), 10) {
            @Override
            public FSDataInputStream openInputStream() {
                throw denied;
            }
        };
        IncrementalRemoteKeyedStateHandle handle = new IncrementalRemoteKeyedStateHandle(
                UUID.randomUUID(), new KeyGroupRange(0, 1), 1, List.of(), List.of(), manifest);
        assertThatThrownBy(() -> ParentCheckpoint.read(handle, new CloseableRegistry()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("s3://bucket/shared/drey-1-1-00000000000000aa could not be read")
                .hasMessageContaining("403, denied")
                .hasCause(denied);
    }
}
