package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The doctor's command: exit codes, JSON, and sentences for what it cannot look at. */
class DoctorTest {
    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    @Test
    void whatItCannotLookAtIsASentence() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThat(shell.run("doctor", "--rest", "http://localhost:" + port)).isEqualTo(1);
        assertThat(shell.err()).contains("No REST API of Flink answers at http://localhost:" + port);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.run("doctor", "--config", directory.toString())).isEqualTo(1);
        assertThat(shell.err()).contains("There is no config.yaml in " + directory);
        assertThat(shell.run("doctor", "--rest", "localhost:8081")).isEqualTo(2);
        assertThat(shell.run("doctor", "--watch")).isEqualTo(2);
        assertThat(shell.err()).contains("--job, --for and --watch need --rest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http:" + "//job_manager:8081", "http:localhost:8081", "httpx://h", "http://localhost:80811"})
    void whatIsNoAddressIsASentence(String address) {
        assertThat(shell.run("doctor", "--rest", address)).isEqualTo(2);
        assertThat(shell.err())
                .contains("--rest: expected an address like http://localhost:8081, without _ in its host", address)
                .hasLineCount(1);
    }

    /** Flink fetches metrics every 10 seconds. */
    @Test
    void aLookThatSeesNoNewMetricsIsRefused() {
        assertThat(shell.run("doctor", "--rest", "http://localhost:8081", "--for", "10s"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("--for: expected 11s to 10min, found PT10S");
    }

    @Test
    void exitCodesAndJsonSayWhatWasFound() throws IOException {
        assertThat(shell.run("doctor", "--local-dir", directory.resolve("nix").toString(), "--json"))
                .isEqualTo(3);
        JsonNode found = new ObjectMapper().readTree(shell.out());
        assertThat(found.get("findings").get(0).get("rule").asText()).isEqualTo("directory-unusable");
        assertThat(found.get("facts").has("memory")).isTrue();

        assertThat(shell.run(
                        "doctor",
                        "--local-dir",
                        Files.createDirectory(directory.resolve("local")).toString()))
                .isIn(0, 3);
        assertThat(shell.out()).contains("reads/s", "What would suit this machine [proposal]");
    }
}
