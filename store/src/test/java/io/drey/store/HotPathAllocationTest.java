package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operations at the store's interface allocate nothing on the heap, once buffers have grown: not from the log, not from
 * runs, and not while jobs work in the background, whose results the owner installs now and then.
 */
final class HotPathAllocationTest {
    /** What the virtual machine, and the installing of results, may take over all operations. */
    private static final double BYTES_MAX = 1;

    /**
     * What takes more: a walk is an object with the row that it walks over; and a flush, which new keys bring about now
     * and then, lists its pages.
     */
    private static final Map<String, Double> ALLOWED = Map.of("scan of a map", 150.0, "put of a new key", 5.0);

    @TempDir
    Path folder;

    private Map<String, Double> measured() throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        // Apart: newer JDKs warn there of what Memory does.
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HotPathAllocations.class.getName(),
                        Files.createDirectory(folder.resolve("store")).toString())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        int status = process.waitFor();
        List<String> lines = Files.readAllLines(output);
        assertThat(status).as(Files.readString(errors)).isZero();
        Map<String, Double> bytes = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.split("\t");
            bytes.put(words[0], Double.parseDouble(words[1]));
        }
        return bytes;
    }

    @Test
    void operationsAllocateNothing() throws IOException, InterruptedException {
        Map<String, Double> measured = measured();
        assertThat(measured)
                .hasSizeGreaterThan(15)
                .containsKeys(ALLOWED.keySet().toArray(String[]::new));
        assertThat(measured)
                .allSatisfy((operation, bytes) -> assertThat(bytes)
                        .as(operation)
                        .isLessThanOrEqualTo(ALLOWED.getOrDefault(operation, BYTES_MAX)));
    }
}
