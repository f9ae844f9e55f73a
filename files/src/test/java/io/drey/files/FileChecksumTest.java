package io.drey.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FileChecksumTest {
    private static long of(byte[] bytes, int from, int to) {
        FileChecksum checksum = new FileChecksum();
        checksum.add(bytes, from, to - from);
        return checksum.value();
    }

    @Test
    void checksumsOfPartsMakeThatOfTheWhole() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = new byte[random.nextInt(5_000)];
            random.nextBytes(bytes);
            int cut = random.nextInt(bytes.length + 1);
            assertThat(FileChecksum.joined(of(bytes, 0, cut), of(bytes, cut, bytes.length), bytes.length - cut))
                    .as("%d bytes cut at %d", bytes.length, cut)
                    .isEqualTo(of(bytes, 0, bytes.length));
        }
    }
}
