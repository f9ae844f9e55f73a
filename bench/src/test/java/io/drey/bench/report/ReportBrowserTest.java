package io.drey.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drey.bench.figure.Figures;
import io.drey.bench.figure.MadeUpComparison;
import io.drey.bench.result.Comparison;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A browser shows the report. It is the one of the environment variable DREY_CHROMIUM, or the first Chromium or Chrome
 * on the path; without one the tests are skipped, unless DREY_REQUIRE_BROWSER is set.
 */
class ReportBrowserTest {
    private static final long BROWSER_SECONDS_MAX = 120;
    private static final int DARK = 0;
    private static final int LIGHT = 1;

    /** Pixels of a line of a chart, of the many thousands that such lines have. */
    private static final int LINE_PIXELS_MIN = 300;

    /** More than half of the picture. */
    private static final int PAGE_PIXELS_MIN = 800 * 3000 / 2;

    @TempDir
    Path scratch;

    private Path browser;
    private Path report;

    @BeforeEach
    void writeReport() throws IOException {
        browser = browser();
        if (System.getenv("DREY_REQUIRE_BROWSER") != null) {
            assertThat(browser)
                    .as("DREY_REQUIRE_BROWSER is set, and neither DREY_CHROMIUM nor the path has a Chromium")
                    .isNotNull();
        }
        assumeTrue(browser != null, "no Chromium on the path and none in DREY_CHROMIUM");
        Comparison comparison = MadeUpComparison.whole(7);
        report = scratch.resolve("report.html");
        HtmlReport.write(report, comparison, Figures.of(comparison));
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

    /** What the browser writes to its standard output. */
    private String open(String... flags) throws IOException, InterruptedException {
        return open(report, flags);
    }

    private String open(Path page, String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + Files.createTempDirectory(scratch, "profile")));
        command.addAll(List.of(flags));
        command.add(page.toUri().toString());
        Path out = scratch.resolve("out");
        Path errors = scratch.resolve("errors");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start();
        boolean ended = process.waitFor(BROWSER_SECONDS_MAX, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        assertThat(ended && process.exitValue() == 0)
                .as("%s, which said: %s", command, Files.readString(errors, UTF_8))
                .isTrue();
        return Files.readString(out, UTF_8);
    }

    private Map<Integer, Integer> pixels(int scheme, int width) throws IOException, InterruptedException {
        Path file = scratch.resolve("screen-" + scheme + "-" + width + ".png");
        open(
                "--window-size=" + width + ",3000",
                "--blink-settings=preferredColorScheme=" + scheme,
                "--screenshot=" + file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertThat(image.getWidth()).isEqualTo(width);
        Map<Integer, Integer> pixels = new HashMap<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                pixels.merge(image.getRGB(x, y) & 0xFFFFFF, 1, Integer::sum);
            }
        }
        return pixels;
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void aBrowserReadsTablesAndChartsAsTheyWereWritten() throws Exception {
        String dom = open("--dump-dom");
        String written = Files.readString(report);
        assertThat(count(dom, "<table")).isEqualTo(count(written, "<table")).isGreaterThan(10);
        assertThat(count(dom, "<svg")).isEqualTo(count(written, "<svg")).isGreaterThan(15);
        assertThat(count(dom, "data-value="))
                .isEqualTo(count(written, "data-value="))
                .isGreaterThan(500);
        assertThat(count(dom, "<path")).isEqualTo(count(written, "<path"));
    }

    /** The lines of charts have colors that nothing else on the page has in such an amount. */
    @Test
    void chartsAreVisibleInLightAndDark() throws Exception {
        Map<Integer, Integer> light = pixels(LIGHT, 1400);
        assertThat(light).hasSizeGreaterThan(100);
        assertThat(light).containsKeys(0xFFFFFF, 0x0059C2, 0x0B8A5C, 0xD1480A);
        assertThat(light.get(0x0059C2)).isGreaterThan(LINE_PIXELS_MIN);
        Map<Integer, Integer> dark = pixels(DARK, 800);
        assertThat(dark).containsKeys(0x15181C, 0x62ADFF, 0x3CCF97, 0xFF8A55).doesNotContainKey(0x0059C2);
        assertThat(dark.get(0x62ADFF)).isGreaterThan(LINE_PIXELS_MIN);
        assertThat(dark.get(0x15181C))
                .as("the page is dark, not only its charts")
                .isGreaterThan(PAGE_PIXELS_MIN);
    }

    @Test
    void onAPhoneTheRatiosFitTheWidth() throws Exception {
        String measure = "<script>parent.postMessage(innerWidth + ' wide, too wide: ' + Array.from("
                + "document.querySelectorAll('.ratios'))"
                + ".filter(each => each.scrollWidth > each.parentElement.clientWidth).length, '*')</script></body>";
        Files.writeString(
                scratch.resolve("measured.html"), Files.readString(report).replace("</body>", measure));
        // A window is not as narrow as that, but a frame is.
        Path frame = Files.writeString(
                scratch.resolve("frame.html"),
                "<title>none</title><script>onmessage = told => { document.title = told.data; }</script>"
                        + "<iframe src=measured.html width=390 height=800 frameborder=0></iframe>");
        String dom = open(frame, "--dump-dom", "--virtual-time-budget=5000");
        assertThat(dom).contains("<title>390 wide, too wide: 0</title>");
    }
}
