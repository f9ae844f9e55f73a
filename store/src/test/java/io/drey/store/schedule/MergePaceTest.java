package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

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

    private double secondsFor(long bytes) {
        return bytes / pace.bytesPerSecond(0, 3, new MergePace.Work(bytes, 0, bytes));
    }
}
