package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How fast a flush has to be: the fewer the bytes that may be written meanwhile, the faster. */
final class FlushPaceTest {
    private static final long MB = 1 << 20;
    private static final long SECOND = 1_000_000_000L;

    private final FlushPace pace = new FlushPace(0);
    private FlushPace.Reason reason;

    @Test
    void aFlushTakesMostOfTheTimeUntilTheNextOne() {
        assertThat(secondsFor(10 * SECOND, true, 1_000 * MB, 300 * MB)).isBetween(5.0, 9.0);
        assertThat(reason).isEqualTo(FlushPace.Reason.AHEAD);
    }

    @Test
    void aFlushThatSomebodyWaitsForGoesAsFastAsItCan() {
        assertThat(secondsFor(10 * SECOND, false, 1_000 * MB, 300 * MB)).isZero();
        assertThat(reason).isEqualTo(FlushPace.Reason.AT_ONCE);
    }

    @Test
    void aFlushIsOverBeforeTheRoomThatIsLeftIsUsedUp() {
        // 100 MB are written in a second, and there is room for half of that.
        assertThat(secondsFor(3 * SECOND, true, 50 * MB, 300 * MB)).isBetween(0.2, 0.5);
        assertThat(reason).isEqualTo(FlushPace.Reason.ROOM);
    }

    @Test
    void withoutRoomItGoesAsFastAsItCan() {
        assertThat(pace.begin(SECOND, 100 * MB, true, -1, 100 * MB))
                .isEqualTo(new FlushPace.Speed(Double.POSITIVE_INFINITY, FlushPace.Reason.AT_ONCE));
    }

    private double secondsFor(long now, boolean ahead, long roomBytes, long writtenBytes) {
        long bytes = 200 * MB;
        FlushPace.Speed speed = pace.begin(now, bytes, ahead, roomBytes, writtenBytes);
        reason = speed.reason();
        return bytes / speed.bytes();
    }
}
