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
        for (int second = 0; second < 60; second++) {
            pace.sealed(second * 1_000_000_000L, 30 * MB, 0);
        }
        double calm = speedWith(50 * MB, 100 * MB).bytes();
        assertThat(speedWith(25 * MB, 100 * MB).bytes()).isCloseTo(calm, withinPercentage(1));
        assertThat(speedWith(300 * MB, 100 * MB).bytes()).isCloseTo(6 * calm, withinPercentage(1));
        assertThat(speedWith(300 * MB, 100 * MB).steadyBytes())
                .as("what it may count on beside other work")
                .isCloseTo(calm, withinPercentage(1));
    }

    private MergePace.Speed speedWith(long youngBytes, long liveBytes) {
        return pace.speed(60_000_000_000L, 3, new MergePace.Work(MB, 0, youngBytes, liveBytes));
    }

    private double secondsFor(long bytes) {
        return bytes / pace.speed(0, 3, new MergePace.Work(bytes, 0, 0, bytes)).bytes();
    }
}
