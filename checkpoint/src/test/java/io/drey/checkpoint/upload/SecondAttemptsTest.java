package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SecondAttemptsTest {
    private static final long MS = 1_000_000;
    private static final long MB = 1 << 20;

    private final SecondAttempts second = new SecondAttempts();
    private long now = 5_000 * MS;

    /** Writes of a size that all take as long. */
    private void wrote(int times, long bytes, long ms) {
        for (int i = 0; i < times; i++) {
            second.wrote(bytes, ms * MS, ms * MS / 2, false, now);
        }
    }

    private boolean begins(long bytes, long done, long ms) {
        return second.begin(bytes, done, ms * MS, 0, now);
    }

    @Test
    void aWriteThatStandsStillGetsOneMoreAttempt() {
        wrote(10, MB, 100);
        assertThat(begins(MB, MB / 10, 300)).isFalse();
        assertThat(begins(MB, MB / 10, 301)).isTrue();
        assertThat(second.begun()).isEqualTo(1);
        assertThat(second.won()).isZero();
        second.wrote(MB, 100 * MS, 50 * MS, true, now);
        assertThat(second.won()).isEqualTo(1);
    }

    @Test
    void oneThatIsOnlyALittleSlowerThanUsualGetsNone() {
        wrote(10, 64 * MB, 400);
        assertThat(begins(64 * MB, 60 * MB, 500)).isFalse();
        assertThat(begins(64 * MB, 39 * MB, 500)).isTrue();
    }

    private boolean begins(long bytes, long done, long ms, long pauseMs) {
        return second.begin(bytes, done, ms * MS, pauseMs * MS, now);
    }

    /** Long before it is clear that all of it takes long. */
    @Test
    void aLargeFileThatStandsStillGetsOneSoon() {
        wrote(WriteTimes.KNOWN_MIN, 64 * MB, 1_000);
        assertThat(begins(64 * MB, 50 * MB, 800, 500)).isFalse();
        assertThat(begins(64 * MB, 50 * MB, 800, 501)).isTrue();
        wrote(WriteTimes.KEPT, 64 * MB, 200);
        assertThat(begins(64 * MB, 63 * MB, 350, 300)).isFalse();
        assertThat(begins(64 * MB, 63 * MB, 350, 301)).isTrue();
    }

    /** As with clients that send a file when it is closed. */
    @Test
    void whoUsuallyStandsStillMay() {
        wrote(WriteTimes.KNOWN_MIN, 64 * MB, 10_000);
        assertThat(begins(64 * MB, 64 * MB, 5_000, 4_999)).isFalse();
    }

    @Test
    void standingStillMeansNothingWhereLittleIsKnown() {
        wrote(WriteTimes.KNOWN_MIN - 1, 64 * MB, 400);
        assertThat(begins(64 * MB, 63 * MB, 500, 499)).isFalse();
        assertThat(second.usualPause(64 * MB)).isZero();
        wrote(1, 64 * MB, 400);
        assertThat(second.usualPause(64 * MB)).isEqualTo(200 * MS);
    }

    /** All bytes are handed over, and the storage does not say that it has them. */
    @Test
    void oneThatDoesNotEndGetsOne() {
        wrote(10, MB, 100);
        assertThat(begins(MB, MB, 301)).isTrue();
    }

    @Test
    void nothingIsCalledSlowThatIsNotSlowerThanNearlyAllOfItsSize() {
        wrote(WriteTimes.KEPT - 5, MB, 20);
        wrote(5, MB, 2_000);
        assertThat(begins(MB, 0, 1_999)).isFalse();
        assertThat(begins(MB, 0, 2_001)).isTrue();
    }

    /** A storage that hangs now and then would be taken for one that is slow. */
    @Test
    void twoInAHundredDoNotCount() {
        wrote(WriteTimes.KEPT - 3, MB, 20);
        wrote(3, MB, 5_000);
        assertThat(begins(MB, 0, 301)).isTrue();
    }

    @Test
    void whatIsLongAgoIsForgotten() {
        wrote(WriteTimes.KEPT, MB, 5_000);
        assertThat(begins(MB, 0, 4_000)).isFalse();
        wrote(WriteTimes.KEPT, MB, 20);
        assertThat(begins(MB, 0, 4_000)).isTrue();
    }

    @Test
    void sizesAreTakenApart() {
        wrote(100, 256 * MB, 4_000);
        wrote(100, 1 << 10, 20);
        assertThat(begins(1 << 10, 0, 301)).isTrue();
        assertThat(begins(256 * MB, 0, 3_999)).isFalse();
    }

    @Test
    void aSizeThatIsNewIsMeasuredByTheNextSmallerOne() {
        wrote(10, MB, 100);
        assertThat(begins(40 * MB, 3 * MB, 500)).isFalse();
        assertThat(begins(40 * MB, 2 * MB, 500)).isTrue();
    }

    @Test
    void whatStaysInMemoryIsNotTakenForTheSpeedOfTheStorage() {
        second.wrote(10 << 10, 20_000, 20_000, false, now);
        assertThat(begins(40 * MB, MB / 4, 400)).isFalse();
    }

    @Test
    void whereNothingIsKnownOnlyWhatHardlyMovesIsSlow() {
        assertThat(begins(40 * MB, MB / 4, 400)).isFalse();
        assertThat(begins(40 * MB, MB / 8, 400)).isTrue();
    }

    @Test
    void fewAreUnderWayAtOnce() {
        for (int i = 0; i < SecondAttempts.AT_ONCE_MAX; i++) {
            assertThat(begins(MB, 0, 1_000)).isTrue();
        }
        assertThat(begins(MB, 0, 1_000)).isFalse();
        second.end(MB, 0, now);
        assertThat(begins(MB, 0, 1_000)).isTrue();
        second.notBegun();
        assertThat(second.begun()).isEqualTo(SecondAttempts.AT_ONCE_MAX);
    }

    @Test
    void fewBytesOfAMinuteAreWrittenForNothing() {
        wrote(1, 10 * SecondAttempts.EXTRA_BYTES_MIN, 4_000);
        assertThat(begins(SecondAttempts.EXTRA_BYTES_MIN, 0, 5_000)).isTrue();
        assertThat(begins(1, 0, 5_000)).isFalse();
        second.end(SecondAttempts.EXTRA_BYTES_MIN, SecondAttempts.EXTRA_BYTES_MIN - 1, now);
        assertThat(begins(2, 0, 5_000)).isFalse();
        assertThat(begins(1, 0, 5_000)).isTrue();
        second.end(1, 1, now);
        assertThat(begins(1, 0, 5_000)).isFalse();
        now += 61_000 * MS;
        assertThat(begins(1, 0, 5_000)).isTrue();
    }

    @Test
    void whoWritesMuchMayWriteMoreForNothing() {
        wrote(100, SecondAttempts.EXTRA_BYTES_MIN, 600);
        assertThat(begins(4 * SecondAttempts.EXTRA_BYTES_MIN, 0, 9_000)).isTrue();
        second.end(4 * SecondAttempts.EXTRA_BYTES_MIN, 4 * SecondAttempts.EXTRA_BYTES_MIN, now);
        assertThat(begins(2 * SecondAttempts.EXTRA_BYTES_MIN, 0, 9_000)).isFalse();
        assertThat(begins(SecondAttempts.EXTRA_BYTES_MIN, 0, 9_000)).isTrue();
    }

    @Test
    void aMinuteMovesOnByTheSecond() {
        LastMinute sum = new LastMinute();
        sum.add(3, -MS);
        sum.add(5, 1_500 * MS);
        assertThat(sum.sum(58_000 * MS)).isEqualTo(8);
        assertThat(sum.sum(59_000 * MS)).isEqualTo(5);
        assertThat(sum.sum(60_900 * MS)).isEqualTo(5);
        assertThat(sum.sum(61_000 * MS)).isZero();
        // Whoever read the clock a little earlier comes a little later.
        sum.add(7, 60_000 * MS);
        assertThat(sum.sum(61_000 * MS)).isEqualTo(7);
        assertThat(sum.sum(1_000_000 * MS)).isZero();
    }
}
