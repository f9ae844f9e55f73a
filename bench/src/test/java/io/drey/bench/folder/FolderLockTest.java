package io.drey.bench.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderLockTest {
    @TempDir
    Path folder;

    @Test
    void aFolderIsOneRunsUntilThatEnds() throws IOException {
        try (FolderLock lock = FolderLock.take(folder)) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> FolderLock.take(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(folder.toString())
                    .hasMessageContaining("--work-dir");
        }
        FolderLock.take(folder).close();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatAProcessThatEndedLeftHoldsNobodyUp() throws IOException {
        Files.createFile(folder.resolve("in-use"));
        FolderLock.take(folder).close();
        assertThat(folder).isEmptyDirectory();
    }
}
