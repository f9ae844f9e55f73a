package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ArenaTest {
    private static final long GB = 1L << 30;

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
}
