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
        Path file = directory.resolve("file");
        if (Files.notExists(file)) {
            Files.createFile(file);
        }
        open(required, directory.resolve("good") + "," + file.resolve("below"));
    }

    private void open(boolean required, String directories) throws IOException {
        Configuration options = new Configuration();
        options.setString("state.backend.drey.local-dir", directories);
        options.setString("state.backend.drey.local-dir-required", required + "");
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
                .hasStackTraceContaining("local-dir-required to false");
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

    /** Root may write wherever anyone may, but nobody makes a directory in {@code /proc}. */
    @Test
    void oneThatIsThereButCannotBeWrittenToIsLeftOutToo() throws IOException {
        open(false, directory.resolve("good") + ",/proc");
        assertThatThrownBy(() -> open(true, directory.resolve("good") + ",/proc"))
                .hasStackTraceContaining("found that these are not: /proc (");
    }

    @Test
    void aJobWithoutAnyFailsWithASentence() {
        assertThatThrownBy(() -> open(false, "/proc"))
                .hasStackTraceContaining("expected a directory of state.backend.drey.local-dir to be usable, found that"
                        + " these are not: /proc (")
                .hasStackTraceContaining("so that the user " + System.getProperty("user.name") + " may write there");
    }
}
