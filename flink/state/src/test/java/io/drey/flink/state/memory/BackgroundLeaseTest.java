package io.drey.flink.state.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.schedule.Background;
import io.drey.store.schedule.Background.Urgency;
import io.drey.store.schedule.ThreadBackground;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BackgroundLeaseTest {
    /** So many threads no other test asks for. */
    private static final int THREADS = 3;

    /** Work that fails, and even to hear of that: what the process lacks ends its threads. */
    private static final class Hopeless implements Background.Work {
        @Override
        public boolean step(int bytes) {
            throw new OutOfMemoryError("a test's");
        }

        @Override
        public double bytesPerSecond() {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public void abandoned(Throwable cause) {
            throw new OutOfMemoryError("a test's");
        }
    }

    private record Works(CountDownLatch done) implements Background.Work {
        @Override
        public boolean step(int bytes) {
            done.countDown();
            return false;
        }

        @Override
        public double bytesPerSecond() {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public void abandoned(Throwable cause) {}
    }

    private static void expectWork(BackgroundLease lease) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        lease.background().submit(Urgency.FLUSH, new Works(done));
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void whoRestartsGetsThreadsThatWorkThoughOthersStillHoldThoseThatEnded() throws Exception {
        BackgroundLease idle = BackgroundLease.acquire(THREADS);
        idle.background().submit(Urgency.FLUSH, new Hopeless()).await();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!((ThreadBackground) idle.background()).hasEnded()) {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.sleep(1);
        }
        try (BackgroundLease restarted = BackgroundLease.acquire(THREADS)) {
            expectWork(restarted);
            idle.close();
            try (BackgroundLease next = BackgroundLease.acquire(THREADS)) {
                assertThat(next.background()).isSameAs(restarted.background());
                expectWork(next);
            }
        }
    }
}
