package io.drey.cli.inspect.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectedPathTest {
    @TempDir
    private Path directory;

    @Test
    void aNumberThatNoCheckpointHasIsNoCheckpoint() throws IOException {
        for (String name : new String[] {"chk-7", "chk-99999999999999999999"}) {
            Files.createFile(Files.createDirectory(directory.resolve(name)).resolve("_metadata"));
        }
        assertThat(InspectedPath.checkpoints(directory)).containsExactly(directory.resolve("chk-7"));
    }

    @Test
    void anAddressOfALocalFileIsAPathAsFlinkPrintsItOrEscaped() throws IOException {
        Path odd = Files.createDirectory(directory.resolve("a b%41"));
        Files.createFile(odd.resolve("_metadata"));
        for (String text : List.of(
                "file:" + odd, "file://" + odd, "FILE:" + odd, odd.toUri().toString())) {
            assertThat(InspectedPath.of(Path.of(text)).path()).as(text).isEqualTo(odd);
        }
        assertThatThrownBy(() -> InspectedPath.of(Path.of("file:/nowhere/at all")))
                .hasMessage("There is nothing at /nowhere/at all.");
    }

    @Test
    void anAddressElsewhereIsToBeCopied() {
        for (String text : List.of("s3://bucket/chk-7", "hdfs:/chk-7")) {
            assertThatThrownBy(() -> InspectedPath.of(Path.of(text)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(text.replaceFirst(":.*", ":"))
                    .hasMessageContaining("copy it to a local path first");
        }
    }

    @Test
    void aDirectoryOfUnfinishedCheckpointsNamesTheNewest() throws IOException {
        for (String name : List.of("chk-1", "chk-12", "chk-3")) {
            Files.createDirectory(directory.resolve(name));
        }
        for (Path given : List.of(directory, directory.resolve("chk-12"))) {
            assertThatThrownBy(() -> InspectedPath.of(given))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(directory.resolve("chk-12") + " is incomplete: it has no _metadata")
                    .hasMessageContaining("under way, was aborted");
        }
        Files.createFile(directory.resolve("chk-3").resolve("_metadata"));
        assertThat(InspectedPath.of(directory).path()).isEqualTo(directory.resolve("chk-3"));
    }
}
