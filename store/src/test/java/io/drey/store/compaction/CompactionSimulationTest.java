package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the limits that ship cost for small updates that hit all of the state evenly. {@code store.md} has the table.
 */
final class CompactionSimulationTest {
    private static final long MB = 1 << 20;
    private static final double READS_MAX = 14;
    private static final double WRITES_MAX = 6.5;
    private static final double SPACE_MAX = 1.55;

    /** State in MB, and that in percent of it which a run holds when it is flushed. */
    @ParameterizedTest
    @CsvSource({
        "640, 8",
        "640, 4",
        "640, 2",
        "640, 1",
        "2560, 4",
        "2560, 2",
        "2560, 1",
        "20000, 4",
        "20000, 2",
        "20000, 1"
    })
    void writesAndSpaceStayWithinBounds(long stateMb, double flushPercent) {
        SizedRuns runs = new SizedRuns(CompactionLimits.of(8, 64 * MB), stateMb * MB);
        run(runs, stateMb * MB * flushPercent / 100, 3 * stateMb * MB);
        runs.forget();
        run(runs, stateMb * MB * flushPercent / 100, 10 * stateMb * MB);
        String seen = seen(runs, stateMb, flushPercent);
        assertThat(runs.writeAmplification()).as(seen).isLessThanOrEqualTo(WRITES_MAX);
        assertThat(runs.spaceAmplification()).as(seen).isLessThanOrEqualTo(SPACE_MAX);
        assertThat(runs.youngMax()).as(seen).isLessThanOrEqualTo(12);
    }

    /**
     * Where state is so many times what a flush writes that there are many young runs between two major compactions,
     * writes grow with the logarithm of that at most, although a major compaction is always in progress.
     */
    @ParameterizedTest
    @CsvSource({"20000, 0.3, 7", "20000, 0.1, 7.5", "20000, 0.04, 8.3", "80000, 0.02, 9"})
    void writesGrowSlowlyWithTheFlushesThatStateIsMadeOf(long stateMb, double flushPercent, double writesMax) {
        SizedRuns runs = new SizedRuns(CompactionLimits.of(8, 64 * MB), stateMb * MB);
        run(runs, stateMb * MB * flushPercent / 100, 2 * stateMb * MB);
        runs.forget();
        run(runs, stateMb * MB * flushPercent / 100, 4 * stateMb * MB);
        String seen = seen(runs, stateMb, flushPercent);
        assertThat(runs.writeAmplification()).as(seen).isLessThanOrEqualTo(writesMax);
        assertThat(runs.spaceAmplification()).as(seen).isLessThanOrEqualTo(SPACE_MAX);
    }

    /**
     * Where compactions can hardly keep up, they do nothing that the next major compaction does again, so that space
     * stays in bounds.
     */
    @ParameterizedTest
    @CsvSource({
        "150, 17, 2.2, 3.4",
        "150, 17, 2.5, 3",
        "150, 8, 2.2, 3.3",
        "300, 8, 2.5, 3",
        "300, 8, 3, 2.6",
        "300, 8, 4, 2.1"
    })
    void spaceStaysWithinBoundsUnderLoad(long stateMb, double flushPercent, double readsMax, double spaceMax) {
        SizedRuns runs = new SizedRuns(CompactionLimits.of(8, 64 * MB), stateMb * MB);
        run(runs, stateMb * MB * flushPercent / 100, 10 * stateMb * MB, readsMax);
        runs.forget();
        run(runs, stateMb * MB * flushPercent / 100, 30 * stateMb * MB, readsMax);
        String seen = seen(runs, stateMb, flushPercent);
        assertThat(runs.spaceAmplification()).as(seen).isLessThanOrEqualTo(spaceMax);
        assertThat(runs.youngMax()).as(seen).isLessThanOrEqualTo(24);
    }

    private static String seen(SizedRuns runs, long stateMb, double flushPercent) {
        return stateMb + " MB, flushes of " + flushPercent + " %: writes " + runs.writeAmplification() + ", space "
                + runs.spaceAmplification() + ", young " + runs.youngMax();
    }

    /** So that a checkpoint of small state uploads what changed and not all of it a second time. */
    @Test
    void smallStateIsNotCompactedAtEachCheckpoint() {
        CompactionLimits limits = CompactionLimits.of(8, 64 * MB);
        assertThat(limits.isMajorDue(20 * MB, 40 * MB, 0, 0)).isFalse();
        assertThat(limits.isMajorDue(53 * MB, 40 * MB, 0, 0)).isFalse();
        assertThat(limits.isMajorDue(55 * MB, 40 * MB, 0, 0)).isTrue();
        assertThat(limits.isMajorDue(64 * MB, 40 * MB, 0, 0)).isTrue();
        assertThat(limits.isMajorDue(40 * MB, 160 * MB, 0, 0)).isTrue();
        assertThat(limits.isMajorDue(64 * MB, 300 * MB, 0, 0)).isFalse();
        assertThat(limits.isMajorDue(75 * MB, 300 * MB, 0, 0)).isTrue();
        assertThat(limits.isMajorDue(64 * MB, 0, 0, 0)).isTrue();
        assertThat(limits.isMajorDue(0, 0, 0, 0)).isFalse();
        assertThat(limits.isMajorDue(20 * MB, 40 * MB, 44 * MB, 0)).isTrue();
    }

    private static void run(SizedRuns runs, double flushBytes, double bytes) {
        run(runs, flushBytes, bytes, READS_MAX);
    }

    /** Compactions that read up to some times what is flushed meanwhile. */
    private static void run(SizedRuns runs, double flushBytes, double bytes, double readsMax) {
        double credit = 0;
        for (double flushed = 0; flushed < bytes; flushed += flushBytes) {
            runs.flush(flushBytes);
            credit = Math.min(credit, 0) + readsMax * flushBytes;
            SizedRuns.Compaction compaction = runs.pick();
            while (compaction != null && credit > 0) {
                compaction.end().run();
                credit -= compaction.readBytes();
                compaction = runs.pick();
            }
        }
    }
}
