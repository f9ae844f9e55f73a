package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.upload.UploadPlan;
import io.drey.store.StoreImage.FileInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.junit.jupiter.api.Test;

class SharedFilesTest {
    private final CheckpointStreamFactory streams = new MemCheckpointStreamFactory(1 << 20);
    private final SharedFiles files = SharedFiles.restored(Map.of("old", handle("old")));

    private static StreamStateHandle handle(String name) {
        return new ByteStreamStateHandle("handle-of-" + name, new byte[] {1});
    }

    private UploadPlan<StreamStateHandle> take(long checkpoint, SharingFilesStrategy strategy, String... names) {
        List<FileInfo> infos =
                Arrays.stream(names).map(name -> new FileInfo(name, 1)).toList();
        files.enter(checkpoint, strategy, streams);
        UploadPlan<StreamStateHandle> plan = files.plan(checkpoint, infos);
        Map<String, StreamStateHandle> uploaded = new HashMap<>();
        plan.uploads().forEach(name -> uploaded.put(name, handle(name)));
        files.uploaded(checkpoint, uploaded);
        return plan;
    }

    @Test
    void aRestoredFileIsReferredTo() {
        UploadPlan<StreamStateHandle> plan = take(1, SharingFilesStrategy.FORWARD_BACKWARD, "old", "new");
        assertThat(plan.reused()).containsOnlyKeys("old");
        assertThat(plan.uploads()).containsExactly("new");
    }

    @Test
    void anUploadCountsOnceItsCheckpointIsConfirmed() {
        take(1, SharingFilesStrategy.FORWARD_BACKWARD, "a");
        assertThat(take(2, SharingFilesStrategy.FORWARD_BACKWARD, "a").uploads())
                .containsExactly("a");
        files.confirm(2);
        assertThat(take(3, SharingFilesStrategy.FORWARD_BACKWARD, "a").reused()).containsOnlyKeys("a");
    }

    @Test
    void anAbortedUploadDoesNotCount() {
        take(1, SharingFilesStrategy.FORWARD_BACKWARD, "a");
        files.abort(1);
        files.confirm(1);
        assertThat(take(2, SharingFilesStrategy.FORWARD_BACKWARD, "a").uploads())
                .containsExactly("a");
    }

    @Test
    void aFullCheckpointRefersToNothingAndIsReferredTo() {
        assertThat(take(1, SharingFilesStrategy.FORWARD, "old").uploads()).containsExactly("old");
        assertThat(take(2, SharingFilesStrategy.FORWARD_BACKWARD, "old").uploads())
                .as("until the full checkpoint is confirmed nothing may refer to what was before it")
                .containsExactly("old");
        files.confirm(2);
        assertThat(take(3, SharingFilesStrategy.FORWARD_BACKWARD, "old").reused())
                .containsOnlyKeys("old");
    }

    @Test
    void aSavepointIsOnItsOwn() {
        assertThat(take(1, SharingFilesStrategy.NO_SHARING, "old", "a").uploads())
                .containsExactly("old", "a");
        files.confirm(1);
        assertThat(take(2, SharingFilesStrategy.FORWARD_BACKWARD, "old", "a").reused())
                .containsOnlyKeys("old");
    }

    @Test
    void anOvertakenCheckpointRefersToNothing() {
        take(5, SharingFilesStrategy.FORWARD_BACKWARD, "a");
        files.confirm(5);
        assertThat(take(4, SharingFilesStrategy.FORWARD_BACKWARD, "a").uploads())
                .containsExactly("a");
    }

    @Test
    void whatTheStorageForbidsIsUploaded() {
        CheckpointStreamFactory merging = new MemCheckpointStreamFactory(1 << 20) {
            @Override
            public boolean couldReuseStateHandle(StreamStateHandle stateHandle) {
                return false;
            }
        };
        files.enter(1, SharingFilesStrategy.FORWARD_BACKWARD, merging);
        assertThat(files.plan(1, List.of(new FileInfo("old", 1))).uploads()).containsExactly("old");
    }
}
