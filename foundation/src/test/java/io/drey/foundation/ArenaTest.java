package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ArenaTest {
    private static final long GB = 1L << 30;
    private static final Path STATUS = Path.of("/proc/self/status");

    @Test
    void largerPagesMakeUpMoreMemory() {
        assertThat(Arena.bytesMax(4 << 10)).isEqualTo(32 * GB);
        assertThat(Arena.bytesMax(64 << 10)).isEqualTo(32 * GB);
        assertThat(Arena.bytesMax(128 << 10)).isEqualTo(64 * GB);
        assertThat(Arena.bytesMax(1 << 20)).isEqualTo(512 * GB);
    }

    @Test
    void moreMemoryThanItsPagesCanMakeUpIsRefusedWithAdvice() {
        assertThatThrownBy(() -> new Arena(32 * GB + (64 << 10), 64 << 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected at most " + 32 * GB + " bytes in pages of 65536 bytes")
                .hasMessageContaining("choose larger pages");
    }

    @Test
    void pagesTakeNoMemoryOfTheMachineBeforeTheyAreUsed() throws IOException {
        assumeTrue(Files.exists(STATUS), "only Linux tells what a process takes");
        long before = residentBytes();
        try (Arena arena = new Arena(8 * GB, 64 << 10)) {
            long page = arena.take(Arena.Use.CACHE);
            Memory.putLong(page, 7);
            assertThat(residentBytes() - before).isLessThan(GB);
            arena.give(page, Arena.Use.CACHE);
        }
        assertThat(residentBytes() - before).isLessThan(GB);
    }

    private static long residentBytes() throws IOException {
        String line = Files.readAllLines(STATUS).stream()
                .filter(found -> found.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
    }
}
