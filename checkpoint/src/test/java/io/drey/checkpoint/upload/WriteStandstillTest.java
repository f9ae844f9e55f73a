package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that stands still, as with its machine, does not make the storage a slow one: else hanging writes would get
 * no second attempt before that long, for the next hundreds of files.
 */
@Timeout(60)
final class WriteStandstillTest {
    private static final long BYTES = 1 << 20;
    private static final long SECOND = 1_000_000_000;

    private final SecondAttempts second = new SecondAttempts();
    private final AtomicLong now = new AtomicLong();

    /** One for each time that a batch begins to wait. */
    private final Semaphore waits = new Semaphore(0);

    private final Writes.Clock clock = new Writes.Clock() {
        @Override
        public long nanos() {
            return now.get();
        }

        @Override
        public boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
            waits.release();
            return Writes.Clock.super.await(latch, nanos);
        }
    };

    /** Writes as many files as make known what is usual; returns for how long one usually stands still. */
    private long usualPause(Executor executor, Consumer<Attempt> deed) throws Exception {
        Write<String> write = new Write<>() {
            @Override
            public long bytes() {
                return BYTES;
            }

            @Override
            public String run(Attempt attempt) {
                deed.accept(attempt);
                return "written";
            }
        };
        List<Write<String>> all = Collections.nCopies(WriteTimes.KNOWN_MIN, write);
        new Writes<>(all, 1, executor, second, clock, result -> {}).run();
        return second.usualPause(BYTES);
    }

    @Test
    void whatTheProcessStoodStillIsNoPauseOfTheStorage() throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            long pause = usualPause(pool, attempt -> {
                attempt.wrote(BYTES);
                waits.drainPermits();
                waits.acquireUninterruptibly();
                now.addAndGet(60 * SECOND);
                attempt.wrote(0);
            });
            assertThat(pause).isBetween(1L, SECOND);
        } finally {
            pool.shutdown();
        }
    }

    /** Then nobody looks meanwhile. */
    @Test
    void whatTheCallingThreadWritesByItselfMayBeSlow() throws Exception {
        assertThat(usualPause(Runnable::run, attempt -> now.addAndGet(60 * SECOND)))
                .isEqualTo(60 * SECOND);
    }
}
