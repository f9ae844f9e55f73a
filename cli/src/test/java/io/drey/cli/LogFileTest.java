package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log that is kept for failures, in a directory where others keep theirs. */
@Timeout(60)
class LogFileTest {
    private static final String OWN = "drey-" + System.getProperty("user.name") + ".log";

    @TempDir
    private Path temporary;

    /** What a command prints that fails, with the log's configuration as users have it. */
    private String printed() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Djava.io.tmpdir=" + temporary,
                        "-Dlog4j2.configurationFile="
                                + Path.of("src", "main", "resources", "log4j2.properties")
                                        .toUri(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Drey.class.getName(),
                        "checkpoints",
                        "audit",
                        Files.createDirectories(temporary.resolve("empty")).toString())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(1);
        return output;
    }

    /** Where no file can be written, whoever runs this. */
    private void block(String name) throws IOException {
        Files.createDirectory(temporary.resolve(name));
    }

    @Test
    void eachUserHasALogOfTheirOwn() throws Exception {
        block("drey.log");
        assertThat(printed()).startsWith("drey: ").hasLineCount(1);
        assertThat(temporary.resolve(OWN)).isNotEmptyFile();
    }

    @Test
    void aLogThatCannotBeWrittenDoesNotHideTheSentence() throws Exception {
        block("drey.log");
        block(OWN);
        assertThat(printed()).startsWith("drey: ").hasLineCount(1);
    }
}
