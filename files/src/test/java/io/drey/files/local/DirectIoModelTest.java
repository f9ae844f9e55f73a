package io.drey.files.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.Directory;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with direct I/O against arrays: random pieces written, random ranges read into all kinds of memory. */
final class DirectIoModelTest {
    private static final int SEEDS = 60;
    private static final int FILE_BYTES_MAX = 3 << 20;
    private static final int READS = 60;
    private static final int MARGIN = 7;

    @TempDir
    Path path;

    @Test
    void filesHoldWhatWasWritten() throws IOException {
        LocalDirectory directory = DirectLocalDirectoryTest.directory(path);
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] content = new byte[length(random, FILE_BYTES_MAX)];
            random.nextBytes(content);
            String name = "file-" + seed;
            write(directory, name, content, random);
            assertThat(Arrays.equals(Files.readAllBytes(directory.path(name)), content))
                    .as("file of seed " + seed)
                    .isTrue();
            try (ReadableFile in = directory.open(name)) {
                assertThat(in.size()).isEqualTo(content.length);
                for (int i = 0; i < READS; i++) {
                    int from = length(random, content.length);
                    read(in, content, from, length(random, content.length - from), random, seed);
                }
            }
            directory.delete(name);
        }
    }

    /** Often small, often around a block or a large I/O, at most {@code max}. */
    private static int length(SplittableRandom random, int max) {
        int length = switch (random.nextInt(5)) {
            case 0 -> random.nextInt(20);
            case 1 -> (1 + random.nextInt(20)) * 4096 + random.nextInt(3) - 1;
            case 2 -> BounceBuffers.IO_BYTES_MAX + random.nextInt(8193) - 4096;
            case 3 -> random.nextInt(40_000);
            default -> random.nextInt(FILE_BYTES_MAX);
        };
        return Math.min(max, length);
    }

    private static void write(Directory directory, String name, byte[] content, SplittableRandom random)
            throws IOException {
        try (WritableFile out = directory.create(name)) {
            int at = 0;
            while (at < content.length) {
                int length = length(random, content.length - at);
                ByteBuffer piece = ByteBuffer.wrap(content, at, length);
                if (random.nextBoolean()) {
                    piece = ByteBuffer.allocateDirect(length + MARGIN)
                            .position(MARGIN)
                            .mark()
                            .put(piece)
                            .reset();
                }
                out.write(piece);
                at += length;
                assertThat(out.position()).isEqualTo(at);
                assertThat(piece.remaining()).isZero();
                if (random.nextInt(20) == 0) {
                    out.sync();
                }
            }
        }
    }

    private static void read(ReadableFile in, byte[] content, int from, int length, SplittableRandom random, int seed)
            throws IOException {
        boolean raw = random.nextBoolean();
        long address = Memory.allocate(length + 2 * MARGIN);
        try {
            ByteBuffer into =
                    raw ? Memory.wrap(address, length + 2 * MARGIN) : ByteBuffer.allocate(length + 2 * MARGIN);
            into.position(MARGIN).limit(MARGIN + length);
            in.read(from, into);
            assertThat(into.remaining()).isZero();
            byte[] found = new byte[length + 2 * MARGIN];
            into.clear().get(found);
            byte[] expected = new byte[length + 2 * MARGIN];
            System.arraycopy(content, from, expected, MARGIN, length);
            assertThat(Arrays.equals(found, expected))
                    .as("seed " + seed + ": " + length + " bytes at " + from + " of " + content.length)
                    .isTrue();
        } finally {
            Memory.free(address, length + 2 * MARGIN);
        }
    }
}
