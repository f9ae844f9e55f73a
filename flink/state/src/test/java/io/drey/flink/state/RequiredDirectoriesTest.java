package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A local directory that cannot be used is left out, or fails the job if that is wanted. */
class RequiredDirectoriesTest {
    @TempDir
    private Path directory;

    private void open(boolean required) throws IOException {
        Path good = directory.resolve("good");
        Path file = directory.resolve("file");
        if (Files.notExists(file)) {
            Files.createFile(file);
        }
        Configuration options = new Configuration();
        options.setString("state.backend.drey.local-dir", good + "," + file.resolve("below"));
        options.setString("state.backend.drey.local-dir.required", required + "");
        try (BackendFixture fixture = new BackendFixture(directory.resolve("flink"))) {
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(new DreyStateBackend(options), StringSerializer.INSTANCE, List.of());
            backend.close();
            backend.dispose();
        }
    }

    @Test
    void aDirectoryThatIsRequiredFailsTheJobAndLeavesNothing() throws IOException {
        assertThatThrownBy(() -> open(true))
                .hasStackTraceContaining("expected all directories of state.backend.drey.local-dir to be usable")
                .hasStackTraceContaining(directory.resolve("file").toString())
                .hasStackTraceContaining("local-dir.required to false");
        try (Stream<Path> left = Files.list(directory.resolve("good"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void oneThatIsNotRequiredIsLeftOut() throws IOException {
        open(false);
        try (Stream<Path> left = Files.list(directory.resolve("good"))) {
            assertThat(left).isEmpty();
        }
    }
}
