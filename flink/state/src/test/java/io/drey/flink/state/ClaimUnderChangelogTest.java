package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStorageAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backend below Flink's changelog, whose checkpoints list restored files without it. */
class ClaimUnderChangelogTest {
    @TempDir
    Path base;

    private static void end(AbstractKeyedStateBackend<String> backend) throws IOException {
        backend.close();
        backend.dispose();
    }

    /** More than goes into Flink's meta data, and cannot be compressed. */
    private static String noise() {
        return new SplittableRandom(1)
                .ints(100_000, '0', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, (a, b) -> {})
                .toString();
    }

    private KeyedStateHandle checkpointOfAnotherJob() throws Exception {
        try (BackendFixture theirs = new BackendFixture(base.resolve("local"))) {
            theirs.storage(base.resolve("theirs"));
            AbstractKeyedStateBackend<String> backend =
                    theirs.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            backend.setCurrentKey("key");
            backend.getPartitionedState(
                            VoidNamespace.INSTANCE,
                            VoidNamespaceSerializer.INSTANCE,
                            new ValueStateDescriptor<>("value", String.class))
                    .update(noise());
            KeyedStateHandle handle = theirs.completed(backend);
            end(backend);
            return handle;
        }
    }

    private List<String> claimsAfterRestore(boolean underChangelog) throws Exception {
        KeyedStateHandle handle = checkpointOfAnotherJob();
        try (BackendFixture ours = new BackendFixture(base.resolve("local"))) {
            ours.environment.getJobConfiguration().set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, underChangelog);
            ours.environment.setCheckpointStorageAccess(new FsCheckpointStorageAccess(
                    new org.apache.flink.core.fs.Path(base.toUri()), null, new JobID(), 0, 4096));
            end(ours.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(handle)));
        }
        try (Stream<Path> files = Files.list(base.resolve("theirs/shared"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("drey-claim-"))
                    .toList();
        }
    }

    @Test
    void whatWasRestoredFromAnotherJobIsClaimed() throws Exception {
        assertThat(claimsAfterRestore(true)).hasSize(1);
    }

    /** It lists it itself, and claims it then. */
    @Test
    void withoutTheChangelogNothingIsClaimedBeforeACheckpoint() throws Exception {
        assertThat(claimsAfterRestore(false)).isEmpty();
    }
}
