package io.drey.shuffle.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretFileTest {
    @TempDir
    private Path folder;

    @Test
    void aSecretIsReadWithoutTheEndOfItsLine() throws IOException {
        assertThat(SecretFile.read(Files.writeString(folder.resolve("secret"), "one\n")))
                .isEqualTo("one");
        assertThat(SecretFile.read(null)).isNull();
    }

    @Test
    void anEmptyFileIsNoClusterWithoutASecret() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), " \n");
        assertThatThrownBy(() -> SecretFile.read(empty))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("found an empty file")
                .hasMessageContaining(empty.toString());
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> SecretFile.read(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none");
    }
}
