package io.drey.cli.doctor.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryProbeTest {
    @TempDir
    private Path directory;

    /** What another process does. */
    static final class Measurement {
        private Measurement() {}

        public static void main(String[] directory) {
            DirectoryProbe.measure(Path.of(directory[0]));
        }
    }

    /** Not before that: it looks first whether the file system does direct I/O, with another file that goes soon. */
    private boolean isMeasured() throws IOException {
        try (Stream<Path> probes = Files.list(directory)) {
            return probes.anyMatch(probe -> Files.isRegularFile(probe.resolve("measured")));
        }
    }

    @Test
    void aMeasurementThatIsEndedByASignalLeavesNothing() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measurement.class.getName(),
                        directory.toString())
                .inheritIO()
                .start();
        while (!isMeasured()) {
            assertThat(process.isAlive()).isTrue();
            Thread.sleep(10);
        }
        process.destroy();
        process.waitFor();
        assertThat(directory).isEmptyDirectory();
    }
}
