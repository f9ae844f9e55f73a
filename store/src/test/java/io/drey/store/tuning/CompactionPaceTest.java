package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * How fast a compaction has to be where nothing is flushed: after a restore lookups may suffer by what is not compacted
 * yet.
 */
final class CompactionPaceTest {
    private static final long MB = 1 << 20;

    private final CompactionPace pace = new CompactionPace(0, 16);

    @Test
    void aCompactionEndsWithinThirtySecondsThoughNothingIsFlushed() {
        assertThat(secondsFor(20 * MB)).isBetween(2.0, 5.0);
        assertThat(secondsFor(512 * MB)).isBetween(15.0, 30.0);
    }

    @Test
    void saysWhatMakesItFast() {
        assertThat(reasonOf(3, 50 * MB)).isEqualTo(CompactionPace.Reason.IDLE);
        flushSteadily();
        assertThat(reasonOf(3, 50 * MB)).isEqualTo(CompactionPace.Reason.AVERAGE);
        assertThat(reasonOf(3, 300 * MB)).isEqualTo(CompactionPace.Reason.GARBAGE);
        assertThat(reasonOf(14, 50 * MB)).isEqualTo(CompactionPace.Reason.CROWDED);
    }

    private CompactionPace.Reason reasonOf(int freshRuns, long youngBytes) {
        return speedOf(freshRuns, 0, new CompactionPace.Work(MB, 0, youngBytes, 0, 0, 100 * MB))
                .reason();
    }

    /** After a restore of large values, whose pointers are all in young runs. */
    @Test
    void aCompactionHasAPaceThoughNothingIsFlushedAndTheLastLevelIsEmpty() {
        CompactionPace.Work left = new CompactionPace.Work(20 * MB, 0, 20 * MB, 0, 0, 500 * MB);
        assertThat(20 * MB / pace.speed(0, 3, 0, left).bytes()).isBetween(2.0, 5.0);
    }

    /** What was flushed counts for nothing then, not even for a fraction of a byte. */
    @Test
    void aCompactionHasAPaceAfterADaysLongPauseOfFlushes() {
        pace.flushed(0, 64 * MB, 0);
        long later = TimeUnit.DAYS.toNanos(8);
        assertThat(steadyAt(later)).as("nothing compacted either").isFinite();
        pace.compacted(later, 100 * MB);
        assertThat(steadyAt(later)).isEqualTo(4 * MB);
        pace.flushed(later, 64 * MB, 0);
        assertThat(steadyAt(later)).isBetween(4.0 * MB, 100.0 * MB);
    }

    private double steadyAt(long now) {
        return pace.speed(now, 3, 0, new CompactionPace.Work(MB, 0, MB, 0, MB, MB))
                .steadyBytes();
    }

    @Test
    void aSmallCompactionDoesNotTakeAsLong() {
        assertThat(secondsFor(MB)).isLessThan(0.5);
    }

    @Test
    void compactionsAreFasterTheMoreYoungRunsOutweighWhatLivesWhereOtherWorkLeavesRoom() {
        flushSteadily();
        double calm = speedWith(50 * MB, 100 * MB).bytes();
        assertThat(speedWith(25 * MB, 100 * MB).bytes()).isCloseTo(calm, withinPercentage(1));
        assertThat(speedWith(300 * MB, 100 * MB).bytes()).isCloseTo(6 * calm, withinPercentage(1));
        assertThat(speedWith(300 * MB, 100 * MB).steadyBytes())
                .as("what it may count on beside other work")
                .isCloseTo(calm, withinPercentage(1));
    }

    @Test
    void runsOfTheMajorCompactionInProgressHurryCompactionsHalfAsMuchAsFreshOnes() {
        flushSteadily();
        double calm = calmSpeedOf(2, 0);
        assertThat(calmSpeedOf(2, 4)).as("few of them").isCloseTo(calm, withinPercentage(1));
        assertThat(calmSpeedOf(6, 6)).as("many").isGreaterThan(calm * 1.2);
        assertThat(calmSpeedOf(6, 6)).as("many").isCloseTo(calmSpeedOf(9, 0), withinPercentage(1));
    }

    @Test
    void runsOfTheMajorCompactionInProgressHurryCompactionsAsFreshOnesDoWhereYoungRunsOutweighWhatLives() {
        flushSteadily();
        assertThat(steadyOf(6, 3, 100)).isCloseTo(steadyOf(9, 0, 100), withinPercentage(1));
        assertThat(steadyOf(6, 3, 10)).isLessThan(steadyOf(9, 0, 10) * 0.9);
    }

    /** Else each major compaction would find as many young runs as the one before. */
    @Test
    void compactionsReadMoreThanSoFarWhereAMajorCompactionFindsMoreThanMakesItDue() {
        flushSteadily(45);
        double inTime = compactedOf(130, 40, 300);
        assertThat(inTime).isGreaterThan(compactedOf(95, 40, 300) * 1.7);
        assertThat(inTime).as("of much").isCloseTo(compactedOf(1300, 400, 3000), withinPercentage(1));
        assertThat(compactedOf(240, 190, 300)).as("when it is due later").isLessThan(inTime * 0.8);
    }

    /**
     * The steady pace with so many megabytes of young runs, of which so many make a major compaction due, and of the
     * last level.
     */
    private double compactedOf(int youngMb, int dueMb, int levelMb) {
        return speedOf(3, 0, new CompactionPace.Work(MB, 0, youngMb * MB, dueMb * MB, levelMb * MB, levelMb * MB))
                .steadyBytes();
    }

    private CompactionPace.Speed speedOf(int freshRuns, int majorRuns, CompactionPace.Work left) {
        return pace.speed(60_000_000_000L, freshRuns, majorRuns, left);
    }

    private double steadyOf(int freshRuns, int majorRuns, int youngMb) {
        return speedOf(freshRuns, majorRuns, new CompactionPace.Work(MB, 0, youngMb * MB, 100 * MB, 0, 100 * MB))
                .steadyBytes();
    }

    private void flushSteadily() {
        flushSteadily(120);
    }

    private void flushSteadily(int compactedMb) {
        for (int second = 0; second < 60; second++) {
            pace.flushed(second * 1_000_000_000L, 30 * MB, 0);
            pace.compacted(second * 1_000_000_000L, compactedMb * MB);
        }
    }

    private double calmSpeedOf(int freshRuns, int majorRuns) {
        return steadyOf(freshRuns, majorRuns, 10);
    }

    private CompactionPace.Speed speedWith(long youngBytes, long liveBytes) {
        return speedOf(3, 0, new CompactionPace.Work(MB, 0, youngBytes, 0, 0, liveBytes));
    }

    private double secondsFor(long bytes) {
        return bytes
                / pace.speed(0, 3, 0, new CompactionPace.Work(bytes, 0, 0, 0, bytes, bytes))
                        .bytes();
    }
}
