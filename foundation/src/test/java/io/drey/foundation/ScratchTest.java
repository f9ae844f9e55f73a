package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
