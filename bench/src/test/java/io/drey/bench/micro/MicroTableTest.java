package io.drey.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.bench.result.ResultJson;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table that is made of a fixed result of JMH. */
final class MicroTableTest {
    @TempDir
    Path folder;

    private static Path result() throws URISyntaxException {
        return Path.of(MicroTableTest.class.getResource("/jmh-result.json").toURI());
    }

    private static MicroResult micro() throws IOException, URISyntaxException {
        return new MicroResult(
                MicroResult.FORMAT,
                "2026-11-21T10:00:00Z",
                "bench/run-jmh Store",
                "a processor, 2 cores, 8.00 GB",
                "a virtual machine 17",
                JmhResults.read(result()));
    }

    @Test
    void theTableShowsMediansAndTheRatioToTheFasterRocksDb() throws IOException, URISyntaxException {
        assertThat(MicroTable.of(micro())).isEqualTo("""
                # What single operations cost

                Nanoseconds an operation, medians over iterations; 2026-11-21 on a processor, 2 cores, 8.00 GB; a virtual \
                machine 17. *Ratio*: the faster RocksDB by Drey, in time and in processor time of the calling thread, which \
                others on the machine disturb less. *CPU*, *bytes* on the heap and *reads* of files are Drey's, an operation.

                ```
                bench/run-jmh Store
                ```

                ## Store values

                | operation | drey | rocksdb | rocksdb-tuned | ratio | ratio, CPU | CPU | bytes | reads |
                |---|--:|--:|--:|--:|--:|--:|--:|--:|
                | get hit, keys 100000, value bytes 16 | 102 | 2,040 | 1,530 | 15.0× | 15.0× | 80.0 | 0.00 | 0.00 |
                | get hit, keys 2000000, value bytes 16 | – | 5,000 | – | – | – | – | – | – |

                ## Store writes

                | operation | drey | ratio | ratio, CPU | CPU | bytes | reads |
                |---|--:|--:|--:|--:|--:|--:|
                | list add, value bytes 200 | 12,300 | – | – | 9,000 | 1.50 | 0.25 |
                """);
    }

    @Test
    void resultsAreWrittenAndReadAgain() throws IOException, URISyntaxException {
        Path file = folder.resolve(MicroResult.FILE);
        ResultJson.write(file, micro());
        MicroResult read = ResultJson.read(file, MicroResult.class);
        assertThat(read).isEqualTo(micro());
        assertThat(read.rows().get(0).scores().keySet()).containsExactly("drey", "rocksdb", "rocksdb-tuned");
    }

    @Test
    void whatIsNoResultOfJmhIsSaid() throws IOException {
        Path file = folder.resolve("jmh.json");
        for (String wrong : List.of("{}", "[{}]", "[{\"params\":{\"contender\":\"drey\"}}]")) {
            Files.writeString(file, wrong);
            assertThatThrownBy(() -> JmhResults.read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void scoresThatAreNoTimeAreRefused() throws IOException, URISyntaxException {
        Path file = folder.resolve("jmh.json");
        Files.writeString(file, Files.readString(result()).replace("us/op", "ops/s"));
        assertThatThrownBy(() -> JmhResults.read(file)).hasMessageContaining("'ops/s'");
    }
}
