package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Bytes at the most that an array can have. */
class BytesTest {
    /** A count that does not fit an array is told before memory is asked for. */
    @Test
    void aValueOfMoreThanAnArrayIsRefusedWithItsSize() {
        Bytes bytes = new Bytes();
        bytes.append((byte) 7);
        assertThatThrownBy(() -> bytes.append(0L, Integer.MAX_VALUE))
                .isInstanceOf(DreyException.class)
                .hasMessage("expected a value of less than 2 GB, found one of 2147483648 bytes: split it");
        assertThat(bytes.toArray()).containsExactly(7);
    }

    @Test
    void oneByteMoreThanALargeListDoesNotTakeTheWholeHeap() {
        assertThat(Bytes.grown(256)).isEqualTo(512);
        assertThat(Bytes.grown((1 << 29) - 1)).isEqualTo((1 << 30) - 2);
        assertThat(Bytes.grown(1 << 29)).isEqualTo(5 << 27);
        assertThat(Bytes.grown(Integer.MAX_VALUE - 8)).isEqualTo(Integer.MAX_VALUE - 8);
    }

    @Test
    void whatWasLargeIsNotKept() {
        Bytes bytes = new Bytes();
        bytes.append((byte) 7);
        bytes.ensure(5 << 20);
        Bytes others = new Bytes();
        bytes.moveTo(others);
        assertThat(others.toArray()).containsExactly(7);
        assertThat(bytes.length()).isZero();
        assertThat(bytes.array().length).isLessThan(1 << 20);
    }
}
