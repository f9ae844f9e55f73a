package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ScratchTest {
    @Test
    void nearlyTwoGigabytesAreNotTakenForAPage() {
        int pageBytes = 16 << 20;
        try (Arena arena = new Arena(pageBytes, pageBytes);
                Scratch scratch = new Scratch(arena, new Overdraft(1))) {
            assertThatThrownBy(() -> scratch.reserve(Integer.MAX_VALUE - 8))
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining("at most 1 bytes");
        }
    }

    /** Touches as much memory, some times. */
    @Test
    @Tag("stress")
    @Tag("long")
    void pagesOfNearlyTwoGigabytesAreGivenBack() {
        int pageBytes = 16 << 20;
        int bytes = Integer.MAX_VALUE - 8;
        try (Arena arena = new Arena(128L * pageBytes, pageBytes);
                Scratch scratch = new Scratch(arena, new Overdraft(1))) {
            long address = scratch.reserve(bytes);
            assertThat(scratch.reserve(bytes)).isEqualTo(address);
            assertThat(scratch.grow(bytes, 10)).isEqualTo(address);
            assertThat(scratch.capacity()).isGreaterThanOrEqualTo(bytes);
            scratch.close();
            assertThat(arena.freePages()).isEqualTo(arena.pages());
        }
    }
}
