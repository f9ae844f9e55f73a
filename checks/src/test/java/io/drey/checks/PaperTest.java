package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents stay short: what is long is not read. */
final class PaperTest {
    private static final int LINE_MAX = 120;
    private static final int ENTRY_LINES_MAX = 2;
    private static final int DECISION_LINES_MAX = 40;
    private static final int DOCS_LINES_MAX = 3_990;

    /** A ratchet: it goes up only with a feature, by what that needs. 50,500 was the aim before `inspect` and `doctor`. */
    private static final int MAIN_LINES_MAX = 100_050;

    private static final long RESULTS_BYTES_MAX = 3L << 20;

    /** Documents without results and without what a program writes into the README. */
    private static List<Path> documents() throws IOException {
        return House.files(".md").stream()
                .filter(file -> !House.relative(file).startsWith("docs/results/"))
                .toList();
    }

    private static String written(String text) {
        return text.replaceAll("(?s)<!-- results: begin -->.*?<!-- results: end -->", "");
    }

    private static List<String> longEntries(List<String> lines) {
        List<String> wrong = new ArrayList<>();
        int length = 0;
        for (String line : lines) {
            boolean begins = line.startsWith("- ");
            length = begins ? 1 : line.startsWith(" ") && length > 0 ? length + 1 : 0;
            if (length == ENTRY_LINES_MAX + 1) {
                wrong.add("an entry goes on with: " + line.trim());
            }
        }
        return wrong;
    }

    /** Folders of one set of jobs: all but the newest have to go. */
    private static List<String> repeated(List<String> folders) {
        Map<String, String> sets = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (String folder : folders) {
            String set = folder.replaceFirst("^\\d{4}-\\d\\d-\\d\\d-", "").replaceFirst("-\\d+$", "");
            String other = sets.putIfAbsent(set, folder);
            if (other != null) {
                wrong.add(folder + " and " + other + " are of one set");
            }
        }
        return wrong;
    }

    @Test
    void linesFit() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : documents()) {
            written(Files.readString(file))
                    .lines()
                    .filter(line -> line.length() > LINE_MAX)
                    .forEach(line -> wrong.add(House.relative(file) + ": " + line));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void entriesOfTheChangelogAreShort() throws IOException {
        assertThat(longEntries(Files.readAllLines(House.root().resolve("CHANGELOG.md"))))
                .isEmpty();
    }

    @Test
    void documentsAreShort() throws IOException {
        List<String> wrong = new ArrayList<>();
        int sum = 0;
        for (Path file : documents()) {
            int lines = Files.readAllLines(file).size();
            String name = House.relative(file);
            sum += name.startsWith("docs/") ? lines : 0;
            if (name.startsWith("docs/decisions/") && lines > DECISION_LINES_MAX) {
                wrong.add(name + " has " + lines + " lines");
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(sum).isBetween(1, DOCS_LINES_MAX);
    }

    @Test
    void mainCodeIsShort() throws IOException {
        int lines = 0;
        for (Path file : House.mainSources()) {
            lines += Files.readAllLines(file).size();
        }
        assertThat(lines).isBetween(1, MAIN_LINES_MAX);
    }

    @Test
    void resultsAreTheNewestOfEachSet() throws IOException {
        try (Stream<Path> files = Files.list(House.root().resolve("docs/results"))) {
            assertThat(repeated(files.filter(Files::isDirectory)
                            .map(file -> file.getFileName().toString())
                            .sorted()
                            .toList()))
                    .isEmpty();
        }
    }

    @Test
    void resultsAreSmall() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(House.root().resolve("docs/results"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        assertThat(bytes).isBetween(1L, RESULTS_BYTES_MAX);
    }

    @Test
    void longAndRepeatedWouldBeFound() {
        assertThat(longEntries(List.of("- a", "  b", "- c", "", "  d"))).isEmpty();
        assertThat(longEntries(List.of("- a", "  b", "  c"))).hasSize(1);
        assertThat(repeated(List.of("2026-01-02-state", "2026-01-02-state-2"))).hasSize(1);
        assertThat(repeated(List.of("2026-01-02-sample-join", "2026-01-02-sample-join-fits")))
                .isEmpty();
        assertThat(written("a<!-- results: begin -->b<!-- results: end -->c")).isEqualTo("ac");
    }
}
