package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who gives way, where a worker has heard of a newer session than that of a lease. */
final class RefusalTest {
    private static final long MINUTE_MS = 60_000;

    @Test
    void aNumberThatTheLeaseHasLeftBehindIsAskedForAgain() {
        assertThat(Refusal.of(5, 6, 0, false, 0)).isEqualTo(Refusal.OUTDATED);
        assertThat(Refusal.of(5, 6, 9, true, MINUTE_MS)).isEqualTo(Refusal.OUTDATED);
    }

    @Test
    void whoBeganBeforeGivesWayAtOnceHoweverAlive() {
        assertThat(Refusal.of(5, 5, 0, true, 0)).isEqualTo(Refusal.ELDER);
    }

    @Test
    void whoBeganLaterIsNotRisenAbove() {
        assertThat(Refusal.of(5, 5, 0, false, 0)).isEqualTo(Refusal.SUCCESSOR);
        assertThat(Refusal.of(5, 5, 100, false, MINUTE_MS - 1)).isEqualTo(Refusal.SUCCESSOR);
    }

    /** Who was refused for as long has heard by then if it leads no more. */
    @Test
    void oneThatNobodyRenewsIsRisenAboveAfterAMinuteOfRefusals() {
        assertThat(Refusal.of(5, 5, 5, false, 10 * MINUTE_MS)).isEqualTo(Refusal.SUCCESSOR);
        assertThat(Refusal.of(5, 5, 6, false, MINUTE_MS)).isEqualTo(Refusal.SILENT);
    }

    @Test
    void twoThatRiseAboveOneNumberHaveTwo() {
        long one = Refusal.above(1_000, 17);
        long other = Refusal.above(1_000, -18);
        assertThat(one).isGreaterThan(1_000);
        assertThat(other).isGreaterThan(1_000).isNotEqualTo(one);
    }
}
