package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PagedBytesTest {
    @Test
    void readsBackWhatWasAppendedAcrossPartsOfPagesAndBeyondTheArena() {
        byte[] bytes = new byte[5000];
        new Random(1).nextBytes(bytes);
        Overdraft overdraft = new Overdraft(1 << 20);
        try (Arena arena = new Arena(1024, 256);
                Arena other = new Arena(8192, 8192);
                Scratch source = new Scratch(other, overdraft);
                PagedBytes paged = new PagedBytes(new PageParts(arena, overdraft, Arena.Use.METADATA))) {
            paged.appendLong(42);
            long address = source.reserve(bytes.length);
            Memory.copy(bytes, 0, address, bytes.length);
            paged.append(address, bytes.length);
            assertThat(arena.freePages()).isZero();
            assertThat(overdraft.bytes()).isGreaterThanOrEqualTo(4000);
            assertThat(paged.size()).isEqualTo(5008);
            assertThat(paged.getLong(0)).isEqualTo(42);
            assertThat(paged.getInt(1008)).isEqualTo(Memory.getInt(bytes, 1000));
            assertThat(paged.compare(8, 5000, bytes, 5000)).isZero();
            assertThat(paged.compare(8, 4999, bytes, 5000)).isNegative();
            byte[] greater = Arrays.copyOf(bytes, 5000);
            greater[3000] = (byte) (greater[3000] + 1);
            assertThat(Integer.signum(paged.compare(8, 5000, greater, 5000)))
                    .isEqualTo(Integer.signum(Arrays.compareUnsigned(bytes, greater)));
        }
        assertThat(overdraft.bytes()).isZero();
    }

    @Test
    void mismatchFindsTheFirstDifferentByteAndChecksumsOfPartsEqualThatOfTheWhole() {
        byte[] bytes = new byte[64];
        new Random(2).nextBytes(bytes);
        long a = Memory.allocate(128);
        try {
            for (int at = 0; at < 64; at++) {
                Memory.copy(bytes, 0, a, 64);
                Memory.copy(bytes, 0, a + 64, 64);
                Memory.putByte(a + 64 + at, (byte) ~bytes[at]);
                assertThat(Memory.mismatch(a, a + 64, 64)).isEqualTo(at);
                assertThat(Memory.mismatch(a, a + 64, at)).isEqualTo(at);
                assertThat(Memory.mismatch(a + 64, bytes, 0, 64)).isEqualTo(at);
                assertThat(Integer.signum(Memory.compare(a, 64, bytes, 0, 64))).isZero();
                int whole = new Checksum().of(bytes, 0, 64, 7);
                assertThat(new Checksum()
                                .begin(7)
                                .update(a, at)
                                .update(a + at, 64 - at)
                                .value())
                        .isEqualTo(whole);
            }
        } finally {
            Memory.free(a, 128);
        }
    }
}
