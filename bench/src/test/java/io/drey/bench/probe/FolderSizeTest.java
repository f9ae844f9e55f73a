package io.drey.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSizeTest {
    @TempDir
    private Path directory;

    private final AtomicLong time = new AtomicLong();
    private final AtomicLong cost = new AtomicLong();

    @Test
    void aFileWithTwoNamesCountsOnceAndLibrariesDoNot() throws IOException {
        Path sub = Files.createDirectories(directory.resolve("a/b"));
        Files.write(sub.resolve("run"), new byte[1000]);
        Files.createLink(directory.resolve("kept"), sub.resolve("run"));
        Files.write(directory.resolve("log"), new byte[10]);
        Files.write(directory.resolve("librocksdbjni.so"), new byte[5000]);

        assertThat(size(0).size()).isEqualTo(new FolderSize.Size(2, 1010));
    }

    @Test
    void withoutTheDirectoryNothingIsKnown() {
        FolderSize size = new FolderSize(directory.resolve("none"), time::get, cost::get);

        assertThat(size.size()).isEqualTo(FolderSize.Size.UNKNOWN);
    }

    @Test
    void anExpensiveWalkIsNotRepeatedSoon() throws IOException {
        FolderSize size = size(TimeUnit.MILLISECONDS.toNanos(10));
        assertThat(size.size().files()).isZero();
        Files.write(directory.resolve("new"), new byte[1]);

        time.addAndGet(TimeUnit.MILLISECONDS.toNanos(1900));
        assertThat(size.size().files()).isZero();
        time.addAndGet(TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(size.size().files()).isOne();
    }

    /** Each walk costs so much. */
    private FolderSize size(long nanos) {
        return new FolderSize(directory, time::get, () -> cost.addAndGet(nanos));
    }
}
