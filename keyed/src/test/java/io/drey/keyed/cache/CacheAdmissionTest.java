package io.drey.keyed.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CacheAdmissionTest {
    private static final int WINDOW = 100;

    private final CacheAdmission use = new CacheAdmission(WINDOW);

    private void window(int hits) {
        for (int i = 0; i < WINDOW; i++) {
            use.looked(i < hits);
        }
    }

    @Test
    void aStateWithFewHitsIsDrainedAndShutAfterAWindowToWarmUp() {
        window(0);
        assertThat(use.keeps()).isTrue();
        window(19);
        assertThat(use.keeps()).isFalse();
        assertThat(use.isDraining()).isTrue();
        assertThat(use.looksUp()).isTrue();
        use.drained();
        assertThat(use.looksUp()).isFalse();
    }

    @Test
    void aStateWithHitsStaysOpen() {
        for (int i = 0; i < 10; i++) {
            window(20);
            assertThat(use.keeps()).isTrue();
        }
    }

    @Test
    void aShutStateIsTriedAgainEachTimeLater() {
        window(0);
        window(0);
        use.drained();
        long first = skipped();
        window(0);
        window(0);
        use.drained();
        assertThat(skipped()).isEqualTo(2 * first + 1);
        assertThat(first).isEqualTo(16 * WINDOW - 1);
    }

    private long skipped() {
        long skipped = 0;
        while (!use.looksUp()) {
            skipped++;
        }
        return skipped;
    }

    @Test
    void whatIsCheapToDeserializeNeedsMoreHits() {
        assertThat(use.hitRatioNeeded()).isEqualTo(CacheAdmission.HIT_RATIO_MIN);
        measure(5, 0);
        assertThat(use.hitRatioNeeded()).isGreaterThan(0.9);
        measure(10_000, 100);
        assertThat(use.hitRatioNeeded()).isBetween(CacheAdmission.HIT_RATIO_MIN, 0.25);
        measure(10_000, 10_000);
        assertThat(use.hitRatioNeeded()).isGreaterThan(0.95);
        window(0);
        window(90);
        assertThat(use.keeps()).isFalse();
    }

    @Test
    void aMeasurementThatHadToWaitDoesNotCount() {
        for (int i = 0; i < 64; i++) {
            use.measured(i % 2 == 0 ? 1_000_000_000 : 10_000, i % 3 == 0 ? 1_000_000_000 : 100);
        }
        assertThat(use.hitRatioNeeded()).isBetween(CacheAdmission.HIT_RATIO_MIN, 0.25);
    }

    private void measure(long deserializing, long copying) {
        for (int i = 0; i < 64; i++) {
            use.measured(deserializing, copying);
        }
    }

    @Test
    void whatCannotBeCopiedIsNeverTriedAgain() {
        use.off();
        for (int i = 0; i < 1000 * WINDOW; i++) {
            assertThat(use.looksUp()).isFalse();
        }
    }
}
