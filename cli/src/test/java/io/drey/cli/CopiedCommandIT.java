package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script with what was built, on a machine without sources and Maven. */
@Timeout(120)
class CopiedCommandIT {
    @TempDir
    private Path home;

    private int exitCode;

    private String run(String command) throws IOException, InterruptedException {
        Path script = home.resolve("drey");
        if (!Files.exists(script)) {
            Files.copy(Path.of("..", "drey"), script);
            assertThat(script.toFile().setExecutable(true)).isTrue();
        }
        ProcessBuilder builder = new ProcessBuilder(script.toString(), command).redirectErrorStream(true);
        builder.environment().remove("DREY_NO_BUILD");
        builder.environment().put("DREY_JAVA_OPTS", "-Xmx128m");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        exitCode = process.waitFor();
        return output;
    }

    @Test
    void itRunsWithoutBuilding() throws Exception {
        Path target = Files.createDirectories(home.resolve("cli/target"));
        for (String part : new String[] {"lib", "classes"}) {
            Files.createSymbolicLink(
                    target.resolve(part), Path.of("target", part).toAbsolutePath());
        }
        assertThat(run("--version")).startsWith("Drey ");
        assertThat(exitCode).isZero();
    }

    @Test
    void withoutWhatWasBuiltItSaysWhatToCopy() throws Exception {
        assertThat(run("--version")).contains("cli/target/lib", "cli/target/classes");
        assertThat(exitCode).isEqualTo(1);
    }
}
