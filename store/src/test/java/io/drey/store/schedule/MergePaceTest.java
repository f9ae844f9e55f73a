package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

/** How fast a merge has to be where nothing is sealed: after a restore lookups may suffer by what is not merged yet. */
final class MergePaceTest {
    private static final long MB = 1 << 20;

    private final MergePace pace = new MergePace(0, 16);

    @Test
    void aMergeEndsWithinThirtySecondsThoughNothingIsSealed() {
        assertThat(secondsFor(20 * MB)).isBetween(2.0, 5.0);
        assertThat(secondsFor(512 * MB)).isBetween(15.0, 30.0);
    }

    @Test
    void aSmallMergeDoesNotTakeAsLong() {
        assertThat(secondsFor(MB)).isLessThan(0.5);
    }

    @Test
    void mergesAreFasterTheMoreYoungRunsOutweighWhatLivesWhereOtherWorkLeavesRoom() {
        sealSteadily();
        double calm = speedWith(50 * MB, 100 * MB).bytes();
        assertThat(speedWith(25 * MB, 100 * MB).bytes()).isCloseTo(calm, withinPercentage(1));
        assertThat(speedWith(300 * MB, 100 * MB).bytes()).isCloseTo(6 * calm, withinPercentage(1));
        assertThat(speedWith(300 * MB, 100 * MB).steadyBytes())
                .as("what it may count on beside other work")
                .isCloseTo(calm, withinPercentage(1));
    }

    @Test
    void runsOfTheSweepInProgressHurryMergesHalfAsMuchAsFreshOnes() {
        sealSteadily();
        double calm = speedOf(2, 0);
        assertThat(speedOf(2, 4)).as("few of them").isCloseTo(calm, withinPercentage(1));
        assertThat(speedOf(6, 6)).as("many").isGreaterThan(calm * 1.2);
        assertThat(speedOf(6, 6)).as("many").isCloseTo(speedOf(9, 0), withinPercentage(1));
    }

    private void sealSteadily() {
        for (int second = 0; second < 60; second++) {
            pace.sealed(second * 1_000_000_000L, 30 * MB, 0);
        }
    }

    private double speedOf(int freshRuns, int sweptRuns) {
        return pace.speed(60_000_000_000L, freshRuns, sweptRuns, new MergePace.Work(MB, 0, 10 * MB, 100 * MB))
                .bytes();
    }

    private MergePace.Speed speedWith(long youngBytes, long liveBytes) {
        return pace.speed(60_000_000_000L, 3, 0, new MergePace.Work(MB, 0, youngBytes, liveBytes));
    }

    private double secondsFor(long bytes) {
        return bytes
                / pace.speed(0, 3, 0, new MergePace.Work(bytes, 0, 0, bytes)).bytes();
    }
}
