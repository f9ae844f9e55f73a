package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReadStallRatioTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void isThatOfTheTimeSinceItWasAskedForLast() {
        ReadStallRatio waits = new ReadStallRatio(5 * SECOND);

        assertThat(waits.of(9 * SECOND, SECOND)).isEqualTo(0.25);
        assertThat(waits.of(11 * SECOND, 3 * SECOND)).isEqualTo(1);
        assertThat(waits.of(21 * SECOND, 3 * SECOND)).isZero();
    }

    @Test
    void questionsInQuickSuccessionGetTheSameAnswer() {
        ReadStallRatio waits = new ReadStallRatio(0);
        assertThat(waits.of(2 * SECOND, SECOND)).isEqualTo(0.5);

        assertThat(waits.of(2 * SECOND + 100, SECOND + 100)).isEqualTo(0.5);
        assertThat(waits.of(4 * SECOND, SECOND + 100)).isEqualTo(100.0 / (2 * SECOND));
    }
}
