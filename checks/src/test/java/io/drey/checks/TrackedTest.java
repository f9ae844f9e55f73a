package io.drey.checks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Git tracks text, and binaries only where they are data. */
final class TrackedTest {
    /** Where binaries may be, and why. */
    private static final Map<String, String> ALLOWED = Map.of(
            "/src/test/resources/golden/", "files of each version of a format, which tests read",
            "jobs/src/main/resources/flights-2013/", "the data of the demo",
            "docs/results/", "published measurements, compressed");

    private static boolean isAllowed(String file) {
        return ALLOWED.keySet().stream()
                .anyMatch(place -> place.startsWith("/") ? file.contains(place) : file.startsWith(place));
    }

    private static boolean isBinary(byte[] bytes) {
        for (byte each : bytes) {
            if (each == 0) {
                return true;
            }
        }
        return false;
    }

    @Test
    void gitTracksNoBinaries() throws IOException {
        Process git = new ProcessBuilder("git", "ls-files", "-z")
                .directory(House.root().toFile())
                .start();
        String[] files = new String(git.getInputStream().readAllBytes(), UTF_8).split("\0");
        assertThat(files).hasSizeGreaterThan(300);
        List<String> wrong = new ArrayList<>();
        for (String file : files) {
            Path path = House.root().resolve(file);
            if (!isAllowed(file) && Files.isRegularFile(path) && isBinary(Files.readAllBytes(path))) {
                wrong.add(file);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aBinaryWouldBeFound() {
        assertThat(isBinary(new byte[] {65, 0})).isTrue();
        assertThat(isBinary(new byte[] {65, 10})).isFalse();
        assertThat(isAllowed("out/A.class")).isFalse();
        assertThat(isAllowed("store/src/test/resources/golden/run-1")).isTrue();
    }
}
