package io.drey.cli.inspect.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
