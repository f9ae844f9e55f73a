package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.tuning.SeparationRule.Measured;
import org.junit.jupiter.api.Test;

class SeparationRuleTest {
    private static final SeparationLimits LIMITS = SeparationLimits.SHIPPED;
    private static final long MANY = 1_000_000_000L;

    private static int threshold(
            double readsPerValue, double readMicros, double rewrites, double compactionNanosPerByte) {
        long values = 1_000_000;
        return SeparationRule.threshold(
                new Measured(
                        values,
                        values * readsPerValue,
                        values,
                        (long) (values * readMicros * 1000),
                        100 * MANY,
                        (long) (100 * MANY * rewrites),
                        (long) (100 * MANY * rewrites * compactionNanosPerByte)),
                LIMITS);
    }

    @Test
    void startsWhereTheLimitsSay() {
        assertThat(SeparationRule.threshold(new Measured(0, 0, 0, 0, 0, 0, 0), LIMITS))
                .isEqualTo(LIMITS.bytesStart());
    }

    @Test
    void valuesThatAreNeverReadAreSeparatedFromTheSmallestSizeOn() {
        assertThat(threshold(0, 20, 4, 10)).isEqualTo(LIMITS.bytesMin());
    }

    @Test
    void isWhereAReadCostsAsMuchAsTheCompactions() {
        assertThat(threshold(1, 40, 4, 10)).isBetween(990, 1010);
        assertThat(threshold(1, 40, 8, 10)).isBetween(495, 505);
    }

    @Test
    void nothingIsSeparatedWhereTheDiskIsSlow() {
        assertThat(threshold(1, 4000, 4, 10)).isEqualTo(SeparationRule.NEVER);
    }

    @Test
    void slowCompactionsLowerItAndSlowReadsRaiseIt() {
        assertThat(threshold(0.5, 40, 4, 20)).isLessThan(threshold(0.5, 40, 4, 10));
        assertThat(threshold(0.5, 80, 4, 10)).isGreaterThan(threshold(0.5, 40, 4, 10));
    }

    @Test
    void whatIsNotCompactedYetStillCountsAsCompactedOnce() {
        assertThat(threshold(1, 10, 0, 0)).isBetween(LIMITS.bytesMin(), 1100);
    }
}
