package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryCopyTest {
    private static final int BYTES = 200;

    private static byte[] bytesAt(long address, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = Memory.getByte(address + i);
        }
        return bytes;
    }

    /** Every length around the limits of the ways to copy, at every distance of two ranges, overlapping or not. */
    @Test
    void copiesExactlyTheRangeEvenIfTheRangesOverlap() {
        long memory = Memory.allocate(BYTES);
        try {
            Random random = new Random(1);
            for (int length = 0; length <= 70; length++) {
                for (int to = 0; to + length <= BYTES && to < 130; to++) {
                    int from = 60;
                    byte[] expected = new byte[BYTES];
                    random.nextBytes(expected);
                    for (int i = 0; i < BYTES; i++) {
                        Memory.putByte(memory + i, expected[i]);
                    }
                    System.arraycopy(expected, from, expected, to, length);
                    Memory.copy(memory + from, memory + to, length);
                    assertThat(bytesAt(memory, BYTES)).isEqualTo(expected);
                }
            }
        } finally {
            Memory.free(memory, BYTES);
        }
    }

    @Test
    void copiesInsideAnArrayEvenIfTheRangesOverlap() {
        Random random = new Random(3);
        for (int length = 0; length <= 70; length++) {
            for (int to = 0; to + length <= BYTES && to < 130; to++) {
                byte[] copied = new byte[BYTES];
                random.nextBytes(copied);
                byte[] expected = copied.clone();
                System.arraycopy(expected, 60, expected, to, length);
                Memory.copy(copied, 60, copied, to, length);
                assertThat(copied).isEqualTo(expected);
            }
        }
    }

    @Test
    void bytesOutsideOfAnArrayAreNotAppended() {
        byte[] source = new byte[8];
        Bytes bytes = new Bytes();
        assertThatThrownBy(() -> bytes.append(source, 4, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> bytes.append(source, -1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> bytes.append(source, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(bytes.length()).isZero();
    }

    @Test
    void copiesBetweenArraysAndMemoryTouchNothingElse() {
        long memory = Memory.allocate(BYTES);
        try {
            Random random = new Random(2);
            for (int length = 0; length <= 70; length++) {
                byte[] source = new byte[BYTES];
                random.nextBytes(source);
                Memory.fill(memory, BYTES, (byte) 1);
                Memory.copy(source, 3, memory + 5, length);
                for (int i = 0; i < BYTES; i++) {
                    boolean inside = i >= 5 && i < 5 + length;
                    assertThat(Memory.getByte(memory + i)).isEqualTo(inside ? source[i - 2] : (byte) 1);
                }
                byte[] target = new byte[BYTES];
                Memory.copy(memory + 5, target, 7, length);
                for (int i = 0; i < BYTES; i++) {
                    boolean inside = i >= 7 && i < 7 + length;
                    assertThat(target[i]).isEqualTo(inside ? source[i - 4] : (byte) 0);
                }
            }
        } finally {
            Memory.free(memory, BYTES);
        }
    }
}
