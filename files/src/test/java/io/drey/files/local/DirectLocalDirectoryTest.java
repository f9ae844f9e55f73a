package io.drey.files.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Past the page cache; skipped where the temporary directory cannot do that. */
public final class DirectLocalDirectoryTest extends LocalDirectoryContract {
    private static final int BLOCK = 4096;

    @Override
    protected LocalDirectory directory() throws IOException {
        return directory(path.resolve("files"));
    }

    /** A directory with direct I/O, or the end of a test that cannot run here. */
    static LocalDirectory directory(Path path) throws IOException {
        try {
            return LocalDirectory.direct(path);
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
            throw e;
        }
    }

    @Test
    void tryingItLeavesNothing() throws IOException {
        assertThat(directory().list()).isEmpty();
    }

    @Test
    void saysWhereItDoesNotWorkAndWhatToDo() throws IOException {
        assertThatThrownBy(() -> DirectIo.alignment(128 << 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its blocks have 131072 bytes, expected a power of two of at most 4096");
        // Files of the kernel's own have no pages to go past.
        Path directory = Path.of("/proc/self/task");
        assumeTrue(Files.isDirectory(directory));
        assertThatThrownBy(() -> LocalDirectory.direct(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected direct I/O to work in /proc/self/task (proc)")
                .hasMessageContaining("use a directory in the file system of a disk");
    }

    /** A sync in the middle of a block, of all lengths around one; the file has its exact length at once. */
    @Test
    void aSyncMakesEveryByteVisible() throws IOException {
        LocalDirectory directory = directory();
        byte[] content = new byte[3 * BLOCK];
        new Random(1).nextBytes(content);
        int file = 0;
        for (int first : new int[] {1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1}) {
            for (int second : new int[] {0, 1, BLOCK - 1, BLOCK}) {
                String name = "file-" + file++;
                try (WritableFile out = directory.create(name)) {
                    out.write(ByteBuffer.wrap(content, 0, first));
                    out.sync();
                    assertThat(Files.readAllBytes(directory.path(name))).isEqualTo(prefix(content, first));
                    out.write(ByteBuffer.wrap(content, first, second));
                    out.sync();
                    assertThat(Files.readAllBytes(directory.path(name))).isEqualTo(prefix(content, first + second));
                }
                try (ReadableFile in = directory.open(name)) {
                    ByteBuffer found = ByteBuffer.allocate(first + second);
                    in.read(0, found);
                    assertThat(found.array()).isEqualTo(prefix(content, first + second));
                }
            }
        }
    }

    private static byte[] prefix(byte[] content, int length) {
        return Arrays.copyOf(content, length);
    }

    @Test
    void aFileThatLostItsNameCanBeClosed() throws IOException {
        LocalDirectory directory = directory();
        WritableFile out = directory.create("a");
        out.write(ByteBuffer.wrap(new byte[BLOCK + 1]));
        directory.delete("a");
        out.close();
        assertThat(directory.list()).isEmpty();
    }

    @Test
    void aFileThatWasCutIsNoted() throws IOException {
        LocalDirectory directory = directory();
        try (WritableFile out = directory.create("a")) {
            out.write(ByteBuffer.allocate(4 * BLOCK));
        }
        try (ReadableFile in = directory.open("a")) {
            Files.write(directory.path("a"), new byte[BLOCK + 10]);
            in.read(BLOCK, ByteBuffer.allocate(10));
            assertThatThrownBy(() -> in.read(BLOCK, ByteBuffer.allocate(11)))
                    .hasMessageContaining("found its end at " + (BLOCK + 10) + ": it was cut while open");
            assertThatThrownBy(() -> in.read(3 * BLOCK, ByteBuffer.allocate(1)))
                    .hasMessageContaining("it was cut while open");
        }
    }
}
