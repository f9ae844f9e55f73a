package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The options and metrics of a shuffle worker and those that docs/reference/shuffle-options.md documents are the same.
 */
final class ShuffleOptionsTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| ([^|]*) \\| `?([^`|]*?)`? \\| [^|]+ \\|$");
    private static final Pattern METRIC =
            Pattern.compile("(?:gauge|counter|new Metric)\\(\\s*(?:all, )?(?:storage, )?\"(\\w+)\"");

    private static String document() throws IOException {
        return Files.readString(House.root().resolve("docs/reference/shuffle-options.md"));
    }

    private static String section(String text, String title) {
        String from = text.substring(text.indexOf("## " + title));
        int end = from.indexOf("\n## ");
        return end < 0 ? from : from.substring(0, end);
    }

    @Test
    void optionsOfTheWorkerAreDocumentedWithTheirDefaults() throws IOException {
        List<String> documented = new ArrayList<>();
        Matcher row = ROW.matcher(section(document(), "Worker"));
        while (row.find()) {
            String standard = row.group(3).equals("none") || row.group(3).equals("host") ? "" : row.group(3);
            documented.add(row.group(1) + "=" + standard);
        }
        List<String> declared = new ArrayList<>();
        for (WorkerOptions.Key key : WorkerOptions.Key.values()) {
            declared.add(key.text() + "=" + key.standard());
        }
        assertThat(documented).containsExactlyElementsOf(declared);
    }

    @Test
    void theSampleHasEveryOptionAndItsDefault() throws IOException {
        List<String> sample = Files.readAllLines(House.root().resolve("dist/shuffle/shuffle-worker.properties"));
        for (WorkerOptions.Key key : WorkerOptions.Key.values()) {
            boolean found = sample.stream()
                    .map(line -> line.replaceFirst("^# ?", ""))
                    .anyMatch(line -> line.equals(key.text() + ": " + key.standard())
                            || line.equals(key.text() + ":" + key.standard())
                            || (key == WorkerOptions.Key.DIRECTORIES && line.startsWith(key.text() + ": ")));
            assertThat(found).as("a line of " + key.text()).isTrue();
        }
    }

    @Test
    void metricsAreDocumented() throws IOException {
        List<String> documented = new ArrayList<>();
        Matcher names = Pattern.compile("`([a-z_]+)`").matcher(firstCells(section(document(), "Metrics")));
        while (names.find()) {
            documented.add(names.group(1));
        }
        assertThat(reported()).hasSizeGreaterThan(10);
        assertThat(documented).containsExactlyInAnyOrderElementsOf(reported());
    }

    @Test
    void alertsAskForMetricsThatAWorkerHas() throws IOException {
        Matcher asked = Pattern.compile("\\bdrey_shuffle_(\\w+)")
                .matcher(Files.readString(House.root().resolve("dist/monitoring/drey-alerts.yaml"))
                        .replaceAll("(?m)^ *#.*", ""));
        List<String> names = new ArrayList<>();
        while (asked.find()) {
            names.add(asked.group(1));
        }
        assertThat(names).isNotEmpty();
        assertThat(reported()).containsAll(names);
    }

    private static List<String> reported() throws IOException {
        List<String> reported = new ArrayList<>();
        Matcher metric = METRIC.matcher(Files.readString(
                House.root().resolve("shuffle/worker/src/main/java/io/drey/shuffle/worker/WorkerMetrics.java")));
        while (metric.find()) {
            reported.add(metric.group(1));
        }
        return reported;
    }

    private static String firstCells(String section) {
        StringBuilder cells = new StringBuilder();
        section.lines().filter(line -> line.startsWith("| `")).forEach(line -> cells.append(line.split("\\|")[1]));
        return cells.toString();
    }
}
