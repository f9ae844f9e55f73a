package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.InspectedJob;
import io.drey.cli.inspect.InspectedJob.Profile;
import io.drey.cli.inspect.ManyOperators;
import io.drey.cli.inspect.web.PageServer;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a real checkpoint: its data, who may ask for it, and what a browser makes of it. */
class InspectPageIT {
    private static final long BROWSER_SECONDS_MAX = 120;
    private static final int COLOURS_MIN = 20;
    private static final int OPERATORS = 1_000;
    private static final int BUTTONS_MAX = 400;

    @TempDir
    static Path scratch;

    private static Path checkpoint;
    private static PageServer server;

    @BeforeAll
    static void serve() throws Exception {
        try (InspectedJob job =
                new InspectedJob("io.drey.flink.state.DreyStateBackendFactory", scratch.resolve("job"))) {
            job.checkpoint();
            checkpoint = job.checkpoint();
        }
        server = new PageServer(checkpoint, null, 0);
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private static JsonNode get(String path) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(server.address().resolve(path)).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    private static String keeper() throws Exception {
        for (JsonNode operator : get("/overview").get("overview").get("operators")) {
            if (operator.get("name").asText().equals("Keeper")) {
                return operator.get("id").asText();
            }
        }
        throw new AssertionError("no operator Keeper");
    }

    @Test
    void theDataIsThatOfTheCheckpoint() throws Exception {
        assertThat(get("/overview").get("retained")).hasSizeGreaterThan(1);
        JsonNode scan = get("/scan");
        while (!scan.get("done").asBoolean()) {
            Thread.sleep(50);
            scan = get("/scan");
        }
        assertThat(scan.get("scanned")).isEqualTo(scan.get("of"));
        assertThat(get("/scan?operator=" + keeper()).get("states")).hasSizeGreaterThan(5);
        JsonNode rows =
                get("/rows?operator=" + keeper() + "&state=last&key=user-7").get("rows");
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).get("key").asText()).isEqualTo("user-7");
        assertThat(rows.get(0).get("value").isTextual())
                .as("a browser rounds numbers of more than 53 bits")
                .isTrue();
    }

    private static void awaitScan() throws Exception {
        while (!get("/scan").get("done").asBoolean()) {
            Thread.sleep(50);
        }
    }

    private static CompletableFuture<HttpResponse<String>> search() throws Exception {
        String rows = "/rows?operator=" + keeper() + "&state=profile";
        return HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(server.address().resolve(rows)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static boolean waitsForASearch(Thread thread) {
        return thread.getName().equals("drey-page") && thread.getState() == Thread.State.BLOCKED;
    }

    @Test
    void aSearchThatTakesLongKeepsNobodyFromTheirAnswersAndIsEndedByTheNext() throws Exception {
        awaitScan();
        CountDownLatch gate = new CountDownLatch(1);
        Profile.gate = gate;
        CompletableFuture<HttpResponse<String>> first = search();
        assertThat(get("/overview").get("overview")).isNotNull();
        CompletableFuture<HttpResponse<String>> second = search();
        // Who had not read a row yet when the other came has ended already, and nobody waits for it.
        while (!first.isDone()
                && !second.isDone()
                && Thread.getAllStackTraces().keySet().stream().noneMatch(InspectPageIT::waitsForASearch)) {
            Thread.sleep(10);
        }
        gate.countDown();
        // The second may have come first.
        List<Integer> statuses = Stream.of(
                        first.get().statusCode(), second.get().statusCode())
                .sorted()
                .toList();
        assertThat(statuses).containsExactly(200, 400);
    }

    @Test
    void otherNamesAndMethodsAreRefused() throws Exception {
        assertThat(statusOf("GET", "127.0.0.1")).contains(" 200 ");
        assertThat(statusOf("GET", "example.org")).contains(" 403 ");
        assertThat(statusOf("POST", "127.0.0.1")).contains(" 403 ");
    }

    private static String statusOf(String method, String host) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
            socket.getOutputStream()
                    .write((method + " /overview HTTP/1.0\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines().findFirst().orElse("");
        }
    }

    private static Path browser() {
        String named = System.getenv("DREY_CHROMIUM");
        if (named != null) {
            return Path.of(named);
        }
        for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
            for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
                Path file = Path.of(directory, name);
                if (Files.isExecutable(file)) {
                    return file;
                }
            }
        }
        return null;
    }

    private static String open(URI page, String... flags) throws IOException, InterruptedException {
        Path browser = browser();
        if (System.getenv("DREY_REQUIRE_BROWSER") != null) {
            assertThat(browser)
                    .as("DREY_REQUIRE_BROWSER is set, and there is no Chromium")
                    .isNotNull();
        }
        assumeTrue(browser != null, "no Chromium on the path and none in DREY_CHROMIUM");
        List<String> command = new ArrayList<>(List.of(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--virtual-time-budget=10000",
                "--user-data-dir=" + Files.createTempDirectory(scratch, "profile")));
        command.addAll(List.of(flags));
        command.add(page.toString());
        Path out = Files.createTempFile(scratch, "browser", ".out");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(scratch.resolve("browser.err").toFile())
                .start();
        boolean ended = process.waitFor(BROWSER_SECONDS_MAX, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        assertThat(ended && process.exitValue() == 0)
                .as(Files.readString(scratch.resolve("browser.err")))
                .isTrue();
        return Files.readString(out);
    }

    @Test
    void aBrowserShowsOperatorsSkewAndEntries() throws Exception {
        String fragment = "#operator=" + keeper() + "&state=profile&key=user-7";
        String dom = open(URI.create(server.address() + fragment), "--dump-dom");
        assertThat(dom)
                .contains("data-ready=\"yes\"", "data-scanned=\"yes\"")
                .contains("<title>checkpoint ", "Keeper", "uid keeper-uid", "Levels and logs", "Checkpoints beside it")
                .contains("Keys of visits per key group", "largest keys of visits")
                .contains("Entries of profile in Keeper", "user-7");
    }

    @Test
    void theTreemapIsDrawnAndAPhoneShowsThePageWithoutSidewaysScrolling() throws Exception {
        for (int width : new int[] {390, 1280}) {
            Path picture = scratch.resolve("page-" + width + ".png");
            open(server.address(), "--window-size=" + width + ",2400", "--screenshot=" + picture);
            BufferedImage image = ImageIO.read(picture.toFile());
            assertThat(image.getWidth()).isEqualTo(width);
            Set<Integer> colours = new HashSet<>();
            for (int y = 0; y < image.getHeight(); y += 2) {
                for (int x = 0; x < width; x += 2) {
                    colours.add(image.getRGB(x, y));
                }
            }
            assertThat(colours).hasSizeGreaterThan(COLOURS_MIN);
        }
    }

    @Test
    void ofAThousandOperatorsTheLargestAreListedAndTheOthersAreFound() throws Exception {
        Path many = ManyOperators.beside(checkpoint, OPERATORS, 1_000_000);
        try (PageServer large = new PageServer(many, null, 0)) {
            String dom = open(large.address(), "--dump-dom");
            assertThat(dom)
                    .contains("data-ready=\"yes\"", "All operators", "50 of 1,000", "smaller ones")
                    .contains("uid-0<")
                    .doesNotContain("id=\"op-");
            assertThat(dom.split("<button", -1)).hasSizeLessThan(BUTTONS_MAX);
        }
    }
}
