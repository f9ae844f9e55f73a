package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

    @Test
    void aConfigurationThatCannotBeReadIsASentenceWithOneEnd() throws IOException {
        Files.writeString(directory.resolve("config.yaml"), "taskmanager.memory.process.size: much\n");
        assertThat(shell.run("doctor", "--config", directory.toString())).isEqualTo(1);
        assertThat(shell.err())
                .contains("cannot be read: ")
                .doesNotContain("..")
                .endsWith(".\n");
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

    /** What the command says of somebody at a port who writes this to each connection, and then closes it or waits. */
    private String saidOf(String scheme, String bytes, boolean closes) throws IOException {
        List<Socket> open = new CopyOnWriteArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture.runAsync(() -> {
                while (true) {
                    try {
                        Socket socket = server.accept();
                        open.add(socket);
                        // As a server does, it reads what is asked first.
                        socket.getInputStream().read(new byte[8192]);
                        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
                        if (closes) {
                            socket.close();
                        }
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            String address = scheme + "://127.0.0.1:" + server.getLocalPort();
            assertThat(shell.run("doctor", "--rest", address)).isEqualTo(1);
            assertThat(shell.err()).hasLineCount(1).contains(" at " + address);
            return shell.err();
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    @Test
    @Timeout(40)
    void anAnswerThatNeverEndsIsNotWaitedForForEver() throws IOException {
        assertThat(saidOf("http", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", false))
                .contains("The REST API at ", " did not answer within 10 s.");
    }

    @Test
    void whoSpeaksAnotherProtocolIsNoFlink() throws IOException {
        String expected = "drey: Expected the REST API of Flink at ";
        String advice = "): is the address of --rest right, http or https too?";
        assertThat(saidOf("http", "", true)).startsWith(expected).contains(advice);
        assertThat(saidOf("http", "220 mail\r\n", true)).startsWith(expected).contains(advice);
        assertThat(saidOf("https", "HTTP/1.1 400 Bad Request\r\n\r\n", true))
                .startsWith(expected)
                .contains(advice);
        String json = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n[{}]";
        assertThat(saidOf("http", json, true)).startsWith(expected).contains("(no list of jobs", advice);
    }

    /** Flink fetches metrics every 10 seconds. */
    @Test
    void aLookThatSeesNoNewMetricsIsRefused() {
        assertThat(shell.run("doctor", "--rest", "http://localhost:8081", "--for", "10s"))
                .isEqualTo(2);
        assertThat(shell.err()).contains("--for: expected 11s to 10min, found 10s.");
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
