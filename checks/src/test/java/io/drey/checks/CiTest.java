package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the README tells to run and what the build machine runs is the same. */
final class CiTest {
    private static final String COMMAND = "mvn verify";

    @Test
    void theBuildMachineRunsTheCommandOfTheReadme() throws IOException {
        Path ci = House.root().resolve(".ci/run");
        assertThat(Files.isExecutable(ci)).isTrue();
        assertThat(Files.readAllLines(ci)).contains(COMMAND);
        assertThat(Files.readAllLines(House.root().resolve("README.md"))).contains(COMMAND);
    }
}
