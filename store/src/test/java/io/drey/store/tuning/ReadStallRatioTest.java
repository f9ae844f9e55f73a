package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReadStallRatioTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void isThatOfTheTimeSinceTheLastNote() {
        ReadStallRatio waits = new ReadStallRatio(5 * SECOND);

        assertThat(share(waits, 9 * SECOND, SECOND)).isEqualTo(0.25);
        assertThat(share(waits, 11 * SECOND, 3 * SECOND)).isEqualTo(1);
        assertThat(share(waits, 21 * SECOND, 3 * SECOND)).isZero();
    }

    @Test
    void notesInQuickSuccessionChangeNothing() {
        ReadStallRatio waits = new ReadStallRatio(0);
        assertThat(share(waits, 2 * SECOND, SECOND)).isEqualTo(0.5);

        assertThat(share(waits, 2 * SECOND + 100, SECOND + 100)).isEqualTo(0.5);
        assertThat(share(waits, 4 * SECOND, SECOND + 100)).isEqualTo(100.0 / (2 * SECOND));
    }

    private static double share(ReadStallRatio waits, long now, long readNanos) {
        waits.note(now, readNanos);
        assertThat(waits.share()).as("asked again").isEqualTo(waits.share());
        return waits.share();
    }
}
