package io.drey.keyed.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What timers cost after a restore. */
class TimerRestoreTest {
    private static final TimerLimits LIMITS = new TimerLimits(64, 8, 1 << 7, 1 << 10);
    private static final int TIMERS = 3_000;

    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] bytes = new byte[2 * Long.BYTES];
    private final Element element = new Element();

    @Test
    void timersInOrderAreMovedOnceForEachKeyGroupAtMostBehindARestore() throws Exception {
        TimerSubtasks before = TimerSubtasks.empty(1, LIMITS, random);
        add(before, 0);
        assertThat(moved(before)).isZero();
        TimerSubtasks restored = before.rescaled(2, LIMITS, random);
        try {
            add(restored, TIMERS);
            assertThat(moved(restored))
                    .isPositive()
                    .isLessThanOrEqualTo(TimerSubtasks.KEY_GROUPS * LIMITS.bucketFill());
        } finally {
            restored.close();
        }
    }

    private void add(TimerSubtasks subtasks, int from) {
        for (int time = from; time < from + TIMERS; time++) {
            Element.putRank(time, bytes);
            int keyGroup = random.nextInt(TimerSubtasks.KEY_GROUPS);
            subtasks.of(keyGroup).set.add(element.at(keyGroup, bytes, 0, bytes.length));
        }
    }

    private static long moved(TimerSubtasks subtasks) {
        return subtasks.subtasks.stream()
                .mapToLong(subtask -> subtask.set.far().moved())
                .sum();
    }
}
