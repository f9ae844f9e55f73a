package io.drey.jobs.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class PayloadTest {
    @Test
    void sizesReachBothEnds() {
        Set<Integer> sizes = new TreeSet<>();
        for (int position = 0; position < 1_000; position++) {
            sizes.add(Payload.between(Draw.bits(1, position), 16, 30).length);
        }
        assertThat(sizes).hasSize(15).contains(16, 30);
    }

    @Test
    void aPayloadIsAFunctionOfItsBits() {
        assertThat(Payload.ofSize(5, 100)).isEqualTo(Payload.ofSize(5, 100)).isNotEqualTo(Payload.ofSize(6, 100));
    }

    @Test
    void aboutHalfOfItIsRedundant() {
        byte[] payload = Payload.ofSize(3, 4_096);
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setInput(payload);
        deflater.finish();
        int compressed = deflater.deflate(new byte[2 * payload.length]);
        deflater.end();
        assertThat(compressed).isBetween(payload.length * 35 / 100, payload.length * 60 / 100);
    }

    @Test
    void theDigestIsOverEveryBitAndTheLength() {
        byte[] payload = Payload.ofSize(9, 45);
        long digest = Payload.digest(payload);
        for (int bit = 0; bit < payload.length * Byte.SIZE; bit++) {
            byte[] flipped = payload.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThat(Payload.digest(flipped)).isNotEqualTo(digest);
        }
        assertThat(Payload.digest(new byte[3])).isNotEqualTo(Payload.digest(new byte[4]));
    }
}
