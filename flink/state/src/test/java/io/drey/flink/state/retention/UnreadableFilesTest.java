package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.retention.Claim;
import io.drey.checkpoint.retention.JobDirectory;
import io.drey.flink.state.changelog.FailingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are there and cannot be opened: the JDK calls them not found, whatever the reason. */
class UnreadableFilesTest {
    @TempDir
    Path base;

    /** Has no files that it lists. */
    private static final class Closed extends DelegatingFiles {
        @Override
        public byte[] read(String file, int bytesMax) {
            return null;
        }
    }

    @Test
    void aClaimThatCannotBeOpenedIsADoubt() throws IOException {
        Path shared = Files.createDirectories(base.resolve("shared"));
        Claim claim = new Claim("/checkpoints/other");
        Files.write(shared.resolve(claim.name()), claim.bytes());

        JobDirectory found = JobDirectory.read(new Closed(), base.toString(), 1 << 20);

        assertThat(found.doubts()).hasSize(1);
        assertThat(found.doubts().get(0)).contains(claim.name()).contains("cannot be opened");
    }

    @Test
    void aFileThatCannotBeOpenedIsNotTakenForAbsent() throws IOException {
        // Nobody is refused here who runs tests as root: a directory opens for nobody.
        Path directory = Files.createDirectories(base.resolve("chk-1/_metadata"));
        FlinkJobFiles files = new FlinkJobFiles();
        assertThatThrownBy(() -> files.read(directory.toString(), 1 << 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("_metadata");
        assertThat(files.read(base.resolve("none").toString(), 1 << 10)).isNull();
    }

    /** Presto's client of S3 and Flink's native one throw no IOException where a listing is denied. */
    @Test
    void aStorageThatThrowsWhatIsNoIOExceptionHasFailedLikeOthers() {
        String none = FailingFileSystem.SCHEME + "://" + base.resolve("none");
        FlinkJobFiles files = new FlinkJobFiles();
        List<ThrowingCallable> calls =
                List.of(() -> files.list(none), () -> files.read(none, 1), () -> files.delete(none));
        for (ThrowingCallable call : calls) {
            FailingFileSystem.UNANSWERED.set(new IllegalStateException("403, denied"));
            assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining("403, denied");
        }
    }
}
