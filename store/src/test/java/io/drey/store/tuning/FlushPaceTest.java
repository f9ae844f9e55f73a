package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How fast a flush has to be: the fewer the bytes that may be written meanwhile, the faster. */
final class FlushPaceTest {
    private static final long MB = 1 << 20;
    private static final long SECOND = 1_000_000_000L;

    private final FlushPace pace = new FlushPace(0);

    @Test
    void aFlushTakesMostOfTheTimeUntilTheNextOne() {
        assertThat(secondsFor(10 * SECOND, false, 1_000 * MB, 300 * MB)).isBetween(5.0, 9.0);
    }

    @Test
    void aCheckpointTakesLess() {
        assertThat(secondsFor(10 * SECOND, true, 1_000 * MB, 300 * MB)).isBetween(1.0, 2.0);
    }

    @Test
    void aFlushIsOverBeforeTheRoomThatIsLeftIsUsedUp() {
        // 100 MB are written in a second, and there is room for half of that.
        assertThat(secondsFor(3 * SECOND, false, 50 * MB, 300 * MB)).isBetween(0.2, 0.5);
        assertThat(secondsFor(6 * SECOND, true, 50 * MB, 300 * MB)).isBetween(0.2, 0.5);
    }

    @Test
    void withoutRoomItGoesAsFastAsItCan() {
        assertThat(pace.begin(SECOND, 100 * MB, false, -1, 100 * MB)).isInfinite();
    }

    private double secondsFor(long now, boolean checkpoint, long roomBytes, long writtenBytes) {
        long bytes = 200 * MB;
        return bytes / pace.begin(now, bytes, checkpoint, roomBytes, writtenBytes);
    }
}
