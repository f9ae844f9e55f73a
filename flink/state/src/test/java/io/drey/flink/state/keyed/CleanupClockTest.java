package io.drey.flink.state.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CleanupClockTest {
    private static final long HOUR_MS = 3_600_000;

    private long system = 1_800_000_000_000L;
    private long nanos = -TimeUnit.MINUTES.toNanos(1);
    private final CleanupClock clock = new CleanupClock(() -> system, () -> nanos);

    private void run(long ms) {
        system += ms;
        nanos += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Test
    void itGoesWithTheSystem() {
        assertThat(clock.getAsLong()).isEqualTo(system);
        run(5 * HOUR_MS);
        assertThat(clock.getAsLong()).isEqualTo(system);
        system += CleanupClock.STEP_MS_MAX;
        assertThat(clock.getAsLong()).isEqualTo(system);
    }

    /** State that lives an hour would be gone, all of it. */
    @Test
    void aSystemThatIsAnHourAheadForSomeSecondsIsNotBelieved() {
        long before = clock.getAsLong();
        system += HOUR_MS;
        assertThat(clock.getAsLong()).isEqualTo(before);
        run(30_000);
        assertThat(clock.getAsLong()).isEqualTo(before + 30_000);
        system -= HOUR_MS;
        assertThat(clock.getAsLong()).isEqualTo(before + 30_000).isEqualTo(system);
        run(CleanupClock.DOUBT_MS);
        system += HOUR_MS;
        assertThat(clock.getAsLong()).isEqualTo(system - HOUR_MS);
    }

    @Test
    void aStepThatStaysIsBelieved() {
        system += HOUR_MS;
        clock.getAsLong();
        run(CleanupClock.DOUBT_MS - 1);
        assertThat(clock.getAsLong()).isEqualTo(system - HOUR_MS);
        run(1);
        assertThat(clock.getAsLong()).isEqualTo(system);
    }

    @Test
    void aStepBackIsFollowedAtOnce() {
        system -= HOUR_MS;
        assertThat(clock.getAsLong()).isEqualTo(system);
    }
}
