package io.drey.keyed.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Timers as large as can be, and more of them than an array holds. */
class ElementPoolTest {
    private static final int GIGABYTE = 1 << 30;

    @Test
    void aTimerOfAGigabyteIsRefusedWithItsSize() {
        ElementPool pool = new ElementPool();
        assertThat(pool.hasRoom(GIGABYTE / 2)).isFalse();
        assertThatThrownBy(() -> pool.hasRoom(GIGABYTE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected a timer of less than 1073741824 bytes, found one of 1073741824");
    }
}
