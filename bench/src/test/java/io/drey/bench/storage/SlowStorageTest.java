package io.drey.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storage that takes at least the time that its options say. */
final class SlowStorageTest {
    private static final int BYTES = 100_000;

    @TempDir
    private java.nio.file.Path directory;

    private static FileSystem storage(String... options) {
        Configuration configuration = new Configuration();
        for (int i = 0; i < options.length; i += 2) {
            configuration.setString(options[i], options[i + 1]);
        }
        SlowStorageFactory factory = new SlowStorageFactory();
        factory.configure(configuration);
        return factory.create(null);
    }

    private Path file() {
        return new Path(SlowStorageFactory.uri(directory.resolve("a/b")));
    }

    private long millisToWrite(FileSystem storage) throws IOException {
        long begin = System.nanoTime();
        try (FSDataOutputStream out = storage.create(file(), WriteMode.OVERWRITE)) {
            out.write(new byte[BYTES]);
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    @Test
    void writesAndReadsShareTheBandwidth() throws IOException {
        FileSystem storage = storage("fs.slow.bandwidth", "1mb");
        assertThat(millisToWrite(storage)).isGreaterThanOrEqualTo(90);
        long begin = System.nanoTime();
        try (FSDataInputStream in = storage.open(file())) {
            assertThat(in.readAllBytes()).hasSize(BYTES);
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isGreaterThanOrEqualTo(90);
    }

    @Test
    void aFileTakesItsLatencyAndOneThatStallsThatTimeOnce() throws IOException {
        FileSystem storage = storage("fs.slow.latency", "20ms", "fs.slow.stalled-part", "1", "fs.slow.stall", "100ms");
        assertThat(millisToWrite(storage)).isGreaterThanOrEqualTo(140);
        assertThat(storage.exists(file())).isTrue();
        assertThat(storage.getFileStatus(file()).getLen()).isEqualTo(BYTES);
        assertThat(storage.delete(file(), false)).isTrue();
        assertThat(directory.resolve("a/b")).doesNotExist();
    }

    @Test
    void aPartBeyondOneIsRefused() {
        assertThatThrownBy(() -> storage("fs.slow.stalled-part", "1.5"))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessage("expected fs.slow.stalled-part to be from 0 to 1, found 1.5");
    }
}
