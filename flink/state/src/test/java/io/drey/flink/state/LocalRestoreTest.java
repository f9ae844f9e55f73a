package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drey.flink.state.options.DreyOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores from local copies. */
class LocalRestoreTest {
    private static final int KEYS = 300;
    private static final Path ELSEWHERE = Path.of("/dev/shm");

    @TempDir
    Path directory;

    @Test
    void aLocalCopyIsLinkedIntoTheLocalDirectoryOnItsFileSystem() throws Exception {
        assumeThat(Files.isWritable(ELSEWHERE) && !Files.getFileStore(ELSEWHERE).equals(Files.getFileStore(directory)))
                .isTrue();
        Path other = Files.createTempDirectory(ELSEWHERE, "drey-local");
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Path same = Files.createDirectory(directory.resolve("local"));
        Configuration both = new Configuration();
        both.set(DreyOptions.LOCAL_DIRECTORIES, other + "," + same);
        try (BackendFixture fixture = new BackendFixture(directory)) {
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            AllStates states = new AllStates(backend, KEYS);
            states.fill();
            Map<String, String> expected = states.dump();
            KeyedStateHandle local =
                    BackendFixture.localCopy((IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1), copy);
            AbstractKeyedStateBackend<String> restored =
                    fixture.open(new DreyStateBackend(both), StringSerializer.INSTANCE, List.of(local));
            assertThat(new AllStates(restored, KEYS).dump()).isEqualTo(expected);
            try (Stream<Path> copies = Files.list(copy)) {
                assertThat(copies.toList())
                        .isNotEmpty()
                        .allSatisfy(file -> assertThat(Files.getAttribute(file, "unix:nlink"))
                                .isEqualTo(2));
            }
            for (AbstractKeyedStateBackend<String> each : List.of(backend, restored)) {
                each.close();
                each.dispose();
            }
        } finally {
            FileUtils.deleteDirectory(other.toFile());
        }
    }
}
