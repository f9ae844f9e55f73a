package io.drey.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTest {
    @TempDir
    private Path directory;

    @Test
    void aConfigurationThatIsNotThereIsASentence() throws IOException {
        String wrong = directory.resolve("nix").toString();
        assertThatThrownBy(() -> Audit.configuration(wrong))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("FLINK_CONF_DIR: expected Flink's directory conf, found " + wrong);
        assertThat(Audit.configuration(null).keySet()).isEmpty();
    }
}
