package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.upload.Listing;
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
    private final SharedFiles files = SharedFiles.restored(Map.of("old", handle("old")), Runnable::run);

    private static StreamStateHandle handle(String name) {
        return new ByteStreamStateHandle("handle-of-" + name, new byte[] {1});
    }

    /** Uploads of a checkpoint; what it lists otherwise was uploaded earlier. */
    private List<String> take(long checkpoint, SharingFilesStrategy strategy, String... names) throws Exception {
        return take(files.enter(checkpoint, strategy, streams), names);
    }

    private static List<String> take(Listing<StreamStateHandle> listing, String... names) throws Exception {
        listing.decide(List.of(names));
        List<String> uploads = listing.claim();
        Map<String, StreamStateHandle> uploaded = new HashMap<>();
        uploads.forEach(name -> uploaded.put(name, handle(name)));
        listing.stored(uploaded);
        assertThat(listing.references()).containsOnlyKeys(names);
        return uploads;
    }

    @Test
    void aRestoredFileIsListed() throws Exception {
        assertThat(take(1, SharingFilesStrategy.FORWARD_BACKWARD, "old", "new")).containsExactly("new");
    }

    @Test
    void anUploadCountsAtOnceAlsoOfACheckpointThatFails() throws Exception {
        take(1, SharingFilesStrategy.FORWARD_BACKWARD, "a");
        assertThat(take(2, SharingFilesStrategy.FORWARD_BACKWARD, "a")).isEmpty();
        files.abort(1);
        files.abort(2);
        assertThat(take(3, SharingFilesStrategy.FORWARD_BACKWARD, "a")).isEmpty();
    }

    @Test
    void aFullCheckpointListsNothingOlderAndIsSharedWithLaterOnes() throws Exception {
        assertThat(take(1, SharingFilesStrategy.FORWARD, "old")).containsExactly("old");
        assertThat(take(2, SharingFilesStrategy.FORWARD_BACKWARD, "old")).isEmpty();
    }

    @Test
    void aSavepointIsOnItsOwn() throws Exception {
        assertThat(take(1, SharingFilesStrategy.NO_SHARING, "old", "a")).containsExactly("old", "a");
        files.confirm(1);
        assertThat(take(2, SharingFilesStrategy.FORWARD_BACKWARD, "old", "a")).containsExactly("a");
    }

    @Test
    void anOvertakenCheckpointListsNothingOfOthers() throws Exception {
        take(5, SharingFilesStrategy.FORWARD_BACKWARD, "a");
        files.confirm(5);
        assertThat(take(4, SharingFilesStrategy.FORWARD_BACKWARD, "a")).containsExactly("a");
    }

    @Test
    void whatTheStorageForbidsIsUploaded() throws Exception {
        CheckpointStreamFactory merging = new MemCheckpointStreamFactory(1 << 20) {
            @Override
            public boolean couldReuseStateHandle(StreamStateHandle stateHandle) {
                return false;
            }
        };
        assertThat(take(files.enter(1, SharingFilesStrategy.FORWARD_BACKWARD, merging), "old"))
                .containsExactly("old");
    }
}
