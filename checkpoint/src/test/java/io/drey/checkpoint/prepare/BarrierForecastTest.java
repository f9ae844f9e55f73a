package io.drey.checkpoint.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BarrierForecastTest {
    private static final long MS = 1_000_000;

    private final BarrierForecast forecast = new BarrierForecast(0);

    private void barriers(long... millis) {
        barriers(forecast, millis);
    }

    private static BarrierForecast barriers(BarrierForecast told, long... millis) {
        for (long at : millis) {
            told.barrier(at * MS);
        }
        return told;
    }

    @Test
    void knowsNothingUntilTwoBarriersHaveCome() {
        barriers(0);
        assertThat(forecast.foretells()).isFalse();
        barriers(1_000);
        assertThat(forecast.foretells()).isTrue();
        assertThat(forecast.expected()).isEqualTo(2_000 * MS);
    }

    @Test
    void oneThatWasPutOffCountsForNothing() {
        barriers(0, 1_000, 2_003, 5_000, 6_001);
        assertThat(forecast.expected()).isBetween(7_000 * MS, 7_005 * MS);
    }

    @Test
    void aNewIntervalIsBelievedAfterThreeOfIt() {
        barriers(0, 1_000, 2_000, 3_000, 4_000, 5_000);
        barriers(15_000, 25_000);
        assertThat(forecast.expected()).isEqualTo(26_000 * MS);
        barriers(35_000);
        assertThat(forecast.expected()).isEqualTo(45_000 * MS);
    }

    @Test
    void roundsBeginHalfASecondAndLessBeforeTheBarrier() {
        barriers(0, 10_000, 20_000);
        assertThat(forecast.begin(0)).isEqualTo(29_500 * MS);
        assertThat(forecast.begin(1)).isEqualTo(29_850 * MS);
    }

    @Test
    void roundsHaveTheTimeThatTheLastOnesTook() {
        barriers(0, 10_000, 20_000);
        forecast.took(0, 1_000 * MS);
        forecast.took(1, 200 * MS);
        assertThat(forecast.begin(1)).isEqualTo(29_780 * MS);
        assertThat(forecast.begin(0)).isEqualTo(28_680 * MS);
        forecast.took(0, 1);
        forecast.took(1, 1);
        assertThat(forecast.begin(0)).isEqualTo(29_500 * MS);
    }

    @Test
    void whatTakesMuchOfAnIntervalIsNotPreparedUntilItTakesLess() {
        barriers(0, 10_000, 20_000);
        assertThat(forecast.prepares()).isTrue();
        forecast.took(0, 6_300 * MS);
        assertThat(forecast.prepares()).isFalse();
        assertThat(forecast.foretells()).isTrue();
        forecast.took(0, 1_000 * MS);
        assertThat(forecast.prepares()).isTrue();
    }

    @Test
    void whatTakesLittleIsNotPreparedUntilItTakesMore() {
        BarrierForecast usual = barriers(new BarrierForecast(BarrierForecast.PREPARED_NANOS_MIN), 0, 10_000);
        assertThat(usual.prepares()).isFalse();
        usual.tookWithout(90 * MS);
        assertThat(usual.prepares()).isFalse();
        usual.tookWithout(110 * MS);
        assertThat(usual.prepares()).isTrue();
        usual.took(0, 90 * MS);
        assertThat(usual.prepares()).isFalse();
    }

    @Test
    void noneIsPreparedThatNeverTakesLongEnough() {
        BarrierForecast off = barriers(new BarrierForecast(Long.MAX_VALUE), 0, 10_000);
        off.tookWithout(1_000 * MS);
        assertThat(off.foretells()).isTrue();
        assertThat(off.prepares()).isFalse();
    }

    /** Rounds that are not done any more say nothing of what they would take now. */
    @Test
    void aCheckpointWithoutRoundsTakesAtLeastAsLongAsEachWould() {
        barriers(0, 10_000, 20_000);
        forecast.took(1, 60_000 * MS);
        assertThat(forecast.prepares()).isFalse();
        forecast.tookWithout(3_500 * MS);
        assertThat(forecast.prepares()).isFalse();
        forecast.tookWithout(100 * MS);
        assertThat(forecast.prepares()).isTrue();
        assertThat(forecast.begin(0)).isEqualTo(29_500 * MS);
    }

    @Test
    void barriersThatComeFastAreNotPreparedFor() {
        barriers(0, 2_000, 4_000, 6_000);
        assertThat(forecast.foretells()).isTrue();
        assertThat(forecast.prepares()).isFalse();
    }
}
