package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.schedule.Background.Urgency;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class OwnedWorkTest {
    private final AtomicInteger signals = new AtomicInteger();

    /** Work whose only part fails, and maybe its end too. */
    private final class FailingWork extends OwnedWork {
        private final boolean failsToEnd;
        private RuntimeException always;

        FailingWork(boolean failsToEnd) {
            super(() -> false, signals::incrementAndGet);
            this.failsToEnd = failsToEnd;
        }

        @Override
        protected boolean part(int bytes) throws IOException {
            if (always != null) {
                throw always;
            }
            throw new IOException("part");
        }

        @Override
        protected void discard(Throwable cause) {
            if (always != null) {
                throw always;
            }
            if (failsToEnd) {
                throw new IllegalStateException("discard");
            }
        }

        @Override
        protected double pace() {
            return Double.POSITIVE_INFINITY;
        }
    }

    @Test
    void aFailureToCleanUpDoesNotHideTheCause() throws Exception {
        StepBackground background = new StepBackground();
        FailingWork work = new FailingWork(true);
        work.submit(background, Urgency.FLUSH);
        work.await();
        assertThat(work.isDone()).isTrue();
        assertThat(work.failure()).isInstanceOf(IOException.class).hasMessage("part");
        assertThat(work.failure().getSuppressed()).hasSize(1);
        assertThat(signals).hasValue(1);
    }

    /** As where there is no memory: of these errors the system has one. */
    @Test
    void whatFailsTwiceByTheSameErrorHasEnded() throws Exception {
        FailingWork work = new FailingWork(false);
        work.always = new IllegalStateException("always");
        work.submit(new StepBackground(), Urgency.FLUSH);
        work.await();
        assertThat(work.isDone()).isTrue();
        assertThat(work.failure()).isSameAs(work.always);
        assertThat(signals).hasValue(1);
    }

    @Test
    void workThatNoThreadTakesHasFailed() throws Exception {
        ThreadBackground closed = new ThreadBackground(1);
        closed.close();
        FailingWork work = new FailingWork(false);
        work.submit(closed, Urgency.FLUSH);
        work.await();
        assertThat(work.isDone()).isTrue();
        assertThat(work.failure()).hasMessageContaining("found them closed");
        assertThat(signals).hasValue(1);
    }

    /** Work without end, until its store closes. */
    private final class LongWork extends OwnedWork {
        private Runnable whileDiscarded = () -> {};
        private boolean discarded;

        LongWork(BooleanSupplier closing) {
            super(closing, signals::incrementAndGet);
        }

        @Override
        protected boolean part(int bytes) {
            return true;
        }

        @Override
        protected void discard(Throwable cause) {
            whileDiscarded.run();
            discarded = true;
        }

        @Override
        protected double pace() {
            return Double.POSITIVE_INFINITY;
        }
    }

    @Test
    void aStoreThatClosesWaitsForNoPartOfAnotherOne() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch storage = new CountDownLatch(1);
        AtomicBoolean closing = new AtomicBoolean();
        try (ThreadBackground background = new ThreadBackground(1)) {
            LongWork work = new LongWork(closing::get);
            work.submit(background, Urgency.COMPACTION);
            background.submit(Urgency.WAITED_FOR, bytes -> {
                begun.countDown();
                awaitDeaf(storage);
                return false;
            });
            begun.await();
            closing.set(true);
            AtomicBoolean toldEarly = new AtomicBoolean();
            Thread upload = new Thread(() -> {
                try {
                    work.await();
                    toldEarly.set(work.failure() == null);
                } catch (InterruptedException e) {
                    toldEarly.set(true);
                }
            });
            upload.start();
            // Whoever waits goes on if it is let go now.
            work.whileDiscarded = () -> awaitState(upload, Thread.State.WAITING);
            work.endSoon();
            upload.join();
            assertThat(toldEarly).isFalse();
            work.await();
            assertThat(storage.getCount()).isEqualTo(1);
            assertThat(work.isDone()).isTrue();
            assertThat(work.discarded).isTrue();
            assertThat(signals).hasValue(1);
            storage.countDown();
        }
    }

    private static void awaitState(Thread thread, Thread.State state) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (thread.getState() != state && thread.isAlive() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void awaitDeaf(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anAbandonedWorkFailsWithTheCauseOnce() {
        FailingWork work = new FailingWork(false);
        work.abandoned(new OutOfMemoryError("heap"));
        work.abandoned(new IllegalStateException("late"));
        assertThat(work.failure()).hasMessageContaining("background thread").hasMessageContaining("heap");
        assertThat(work.failure()).hasCauseInstanceOf(OutOfMemoryError.class);
        assertThat(signals).hasValue(1);
    }
}
