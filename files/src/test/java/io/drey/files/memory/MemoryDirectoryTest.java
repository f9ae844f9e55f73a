package io.drey.files.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.DirectoryContract;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MemoryDirectoryTest extends DirectoryContract {
    @Override
    protected MemoryDirectory directory() {
        return new MemoryDirectory();
    }

    @Test
    void countsOpenFiles() throws IOException {
        MemoryDirectory directory = directory();
        WritableFile writer = directory.create("a");
        ReadableFile reader = directory.open("a");
        assertThat(directory.openFiles()).isEqualTo(2);
        writer.close();
        writer.close();
        assertThat(directory.openFiles()).isEqualTo(1);
        reader.close();
        assertThat(directory.openFiles()).isZero();
    }

    @Test
    void isFullAtItsCapacity() throws IOException {
        MemoryDirectory directory = new MemoryDirectory(10);
        try (WritableFile file = directory.create("a")) {
            file.write(ByteBuffer.allocate(7));
            assertThat(directory.usableBytes()).isEqualTo(3);
            ByteBuffer tooMuch = ByteBuffer.allocate(4);
            assertThatThrownBy(() -> file.write(tooMuch))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("memory is full, 1 more bytes of a do not fit");
            assertThat(file.position()).isEqualTo(10);
        }
        directory.delete("a");
        assertThat(directory.usableBytes()).isEqualTo(10);
    }

    @Test
    void flipsOneBitForGood() throws IOException {
        MemoryDirectory directory = directory();
        write(directory, "a", "abc");
        directory.flip("a", 8);
        assertThat(read(directory, "a")).isEqualTo("acc");
        assertThat(directory.content("a")).isEqualTo("acc".getBytes(UTF_8));
        assertThatThrownBy(() -> directory.flip("a", 24)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCrashKeepsWhatWasSynced() throws IOException {
        for (long seed = 0; seed < 100; seed++) {
            MemoryDirectory directory = directory();
            write(directory, "a", "synced");
            directory.crash(seed);
            assertThat(read(directory, "a")).isEqualTo("synced");
            directory.crash(seed);
            assertThat(read(directory, "a")).isEqualTo("synced");
        }
    }

    @Test
    void aCrashLosesCutsTearsOrKeepsWhatWasNotSynced() throws IOException {
        Set<String> outcomes = new HashSet<>();
        for (long seed = 0; seed < 500; seed++) {
            MemoryDirectory directory = directory();
            try (WritableFile file = directory.create("a")) {
                file.write(ByteBuffer.wrap("sync".getBytes(UTF_8)));
                file.sync();
                file.write(ByteBuffer.wrap("12".getBytes(UTF_8)));
                directory.crash(seed);
            }
            outcomes.add(read(directory, "a"));
            assertThat(directory.openFiles()).isZero();
        }
        assertThat(outcomes).containsExactlyInAnyOrder("sync", "sync1", "sync12", "sync\0", "sync1\0", "sync\0\0");
    }

    @Test
    void aCrashMayLoseTheNameOfANewFile() throws IOException {
        Set<Boolean> outcomes = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            MemoryDirectory directory = directory();
            directory.create("a").close();
            directory.crash(seed);
            outcomes.add(directory.exists("a"));
        }
        assertThat(outcomes).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void filesOpenAtACrashAreOfNoUseAfterIt() throws IOException {
        MemoryDirectory directory = directory();
        write(directory, "a", "1");
        try (ReadableFile reader = directory.open("a");
                WritableFile writer = directory.create("b")) {
            directory.crash(7);
            assertThatThrownBy(() -> reader.read(0, ByteBuffer.allocate(1))).hasMessageContaining("open it again");
            assertThatThrownBy(() -> writer.write(ByteBuffer.allocate(1))).hasMessageContaining("open it again");
            assertThatThrownBy(writer::sync).hasMessageContaining("open it again");
        }
        assertThat(directory.openFiles()).isZero();
    }

    @Test
    void theSeedDecidesACrash() throws IOException {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(afterCrash(seed)).isEqualTo(afterCrash(seed));
        }
    }

    private String afterCrash(long seed) throws IOException {
        MemoryDirectory directory = directory();
        WritableFile file = directory.create("a");
        file.sync();
        file.write(ByteBuffer.wrap("0123456789".getBytes(UTF_8)));
        directory.crash(seed);
        return read(directory, "a");
    }
}
