package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.schedule.Background.Urgency;
import org.junit.jupiter.api.Test;

/** When the first part of a compaction comes. */
final class JobQueueTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int COMPACTIONS = 100;

    @Test
    void compactionsBeginAtRandomMoments() {
        long first = delayNanos(1, 100 << 20);
        assertThat(first).isBetween(1L, SECOND / 5);
        assertThat(delayNanos(2, 100 << 20)).isNotEqualTo(first);
    }

    @Test
    void aSmallCompactionWaitsForASmallPartOfTheTimeThatItTakes() {
        for (int seed = 0; seed < COMPACTIONS; seed++) {
            assertThat(delayNanos(seed, 1 << 20)).isLessThanOrEqualTo(SECOND / 100);
        }
    }

    /** Its pace may change while the queue looks at it: it was finite a moment before. */
    @Test
    void aCompactionGivesWayToWhatFlushesTookThoughTheSteadyPaceOfAnotherIsNoNumber() {
        for (double steady : new double[] {Double.POSITIVE_INFINITY, Double.NaN}) {
            JobQueue queue = new JobQueue(0, 1);
            QueuedJob flush = queue.submit(0, Urgency.FLUSH, new Compaction(0, Double.POSITIVE_INFINITY), () -> {});
            queue.submit(0, Urgency.COMPACTION, new Compaction(0, 10 << 20), () -> {});
            assertThat(queue.take(SECOND)).isSameAs(flush);
            queue.done(flush, SECOND, SECOND / 2, false);
            queue.submit(SECOND, Urgency.COMPACTION, new Unsteady(steady), () -> {});
            for (int look = 0; look < 2; look++) {
                assertThat(queue.take(SECOND)).as("with a pace of " + steady).isNull();
                assertThat(queue.delayNanos()).isBetween(1L, 3 * SECOND);
            }
        }
    }

    @Test
    void aPauseOfItsOwnKeepsAJobAlsoIfItIsWaitedFor() {
        JobQueue queue = new JobQueue(0, 1);
        QueuedJob flush = queue.submit(0, Urgency.FLUSH, new Pausing(), () -> {});
        flush.hurry();
        QueuedJob other = queue.submit(0, Urgency.GARBAGE, new Compaction(0, Double.POSITIVE_INFINITY), () -> {});
        assertThat(queue.take(0)).isSameAs(flush);
        queue.done(flush, 0, 0, true);
        assertThat(queue.take(0)).isSameAs(other);
        assertThat(queue.take(SECOND - 1)).isNull();
        assertThat(queue.delayNanos()).isOne();
        assertThat(queue.take(SECOND)).isSameAs(flush);
    }

    /** How long a compaction of so many bytes at 10 MB/s waits for its first part. */
    private static long delayNanos(long seed, long bytes) {
        JobQueue queue = new JobQueue(0, seed);
        queue.submit(0, Urgency.COMPACTION, new Compaction(bytes, 10 << 20), () -> {});
        assertThat(queue.take(0)).as("a job before its time").isNull();
        return queue.delayNanos();
    }

    private record Compaction(long bytesInAll, double bytesPerSecond) implements Background.Work {
        @Override
        public boolean step(int bytes) {
            return false;
        }
    }

    /** Work that pauses a second after each part. */
    private record Pausing() implements Background.Work {
        @Override
        public boolean step(int bytes) {
            return true;
        }

        @Override
        public long pauseNanos() {
            return SECOND;
        }
    }

    /** Work that keeps a pace of which no steady part is known. */
    private record Unsteady(double steadyBytesPerSecond) implements Background.Work {
        @Override
        public boolean step(int bytes) {
            return false;
        }

        @Override
        public double bytesPerSecond() {
            return 10 << 20;
        }
    }
}
