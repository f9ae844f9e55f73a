package io.drey.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.entry.Expiry;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccessSummaryTest {
    private final AccessSummary summary = new AccessSummary();

    @Test
    void nothingHasAlwaysExpired() {
        assertThat(summary.latest()).isEqualTo(Expiry.NOTHING);
        assertThat(summary.median()).isEqualTo(Expiry.NOTHING);
        assertThat(summary.untimed()).isZero();
    }

    @Test
    void theLatestIsExactAndTheMedianNearlySo() {
        for (int entries : new int[] {1, 2, 63, 64, 65, 1000, 100_000}) {
            summary.clear();
            Random random = new Random(entries);
            long latest = 0;
            for (int i = 0; i < entries; i++) {
                long access = random.nextInt(1_000_000);
                latest = Math.max(latest, access);
                summary.add(access);
            }
            assertThat(summary.latest()).isEqualTo(latest);
            if (entries >= AccessSummary.SAMPLES_MAX) {
                assertThat(summary.median()).isBetween(250_000L, 750_000L);
            }
        }
    }

    @Test
    void whatDoesNotExpireIsCountedAndKeepsTheWhole() {
        summary.add(5);
        summary.add(Expiry.NEVER);
        summary.add(7);
        assertThat(summary.untimed()).isEqualTo(1);
        assertThat(summary.latest()).isEqualTo(Expiry.NEVER);
        assertThat(summary.median()).isBetween(5L, 7L);
        summary.clear();
        summary.add(3);
        assertThat(summary.untimed()).isZero();
        assertThat(summary.latest()).isEqualTo(3);
    }
}
