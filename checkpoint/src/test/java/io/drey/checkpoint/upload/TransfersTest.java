package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.upload.Transfers.Transfer;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TransfersTest {
    private final ExecutorService pool = Executors.newFixedThreadPool(4);
    private final AtomicInteger closes = new AtomicInteger();

    @AfterEach
    void stop() throws InterruptedException {
        pool.shutdownNow();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    private Transfers<Integer> transfers(List<Transfer<Integer>> list, int parallelMax) {
        return new Transfers<>(list, parallelMax, pool);
    }

    /** A stream that blocks its transfer until it is closed. */
    private final class Stuck implements Closeable {
        private final CountDownLatch closed = new CountDownLatch(1);

        int use(CountDownLatch begun) throws IOException {
            begun.countDown();
            while (true) {
                try {
                    closed.await();
                    throw new IOException("closed under its user");
                } catch (InterruptedException e) {
                    // As deaf as some file systems are: only closing helps.
                    continue;
                }
            }
        }

        @Override
        public void close() {
            closes.incrementAndGet();
            closed.countDown();
        }
    }

    @Test
    void returnsAllResultsInOrderAndRunsFewAtATime() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger peak = new AtomicInteger();
        List<Transfer<Integer>> list = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int result = i;
            list.add(open -> {
                peak.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.sleep(1);
                running.decrementAndGet();
                return result;
            });
        }
        List<Integer> results = transfers(list, 3).run();
        assertThat(results).hasSize(100).isSorted().doesNotHaveDuplicates();
        assertThat(peak.get()).isBetween(2, 3);
        assertThat(transfers(List.of(), 3).run()).isEmpty();
    }

    @Test
    void theFirstFailureEndsTheOthersAndIsThrown() throws Exception {
        CountDownLatch stuck = new CountDownLatch(2);
        AtomicInteger later = new AtomicInteger();
        List<Transfer<Integer>> list = new ArrayList<>();
        list.add(open -> 7);
        for (int i = 0; i < 2; i++) {
            list.add(open -> open.register(new Stuck()).use(stuck));
        }
        IOException first = new IOException("disk on fire");
        list.add(open -> {
            stuck.await();
            throw first;
        });
        for (int i = 0; i < 10; i++) {
            list.add(open -> later.incrementAndGet());
        }
        assertThatThrownBy(() -> transfers(list, 3).run()).isSameAs(first);
        assertThat(closes).hasValue(2);
        assertThat(later).hasValue(0);
    }

    /** The one that waits for the helper must not get away between the helper's end and its failure. */
    @Test
    void theFailureOfTheLastHelperIsNeverMissed() {
        IOException broken = new IOException("the disk is gone");
        for (int round = 0; round < 5_000; round++) {
            CountDownLatch helped = new CountDownLatch(1);
            Transfer<Integer> failing = open -> {
                helped.countDown();
                throw broken;
            };
            Transfer<Integer> waiting = open -> {
                helped.await();
                return 1;
            };
            Thread caller = Thread.currentThread();
            Transfer<Integer> either = open -> Thread.currentThread() == caller ? waiting.run(open) : failing.run(open);
            Transfers<Integer> batch = transfers(List.of(either, either), 2);
            assertThatThrownBy(batch::run).as("round %d", round).isSameAs(broken);
        }
    }

    @Test
    void interruptsHelpersThatWaitAndLeavesThePoolClean() throws Exception {
        Thread caller = Thread.currentThread();
        CountDownLatch waiting = new CountDownLatch(1);
        IOException first = new IOException("no");
        // Either thread may begin with either transfer: who waits is said by thread, as only helpers are interrupted.
        Transfer<Integer> transfer = open -> {
            if (Thread.currentThread() == caller) {
                waiting.await();
                throw first;
            }
            waiting.countDown();
            Thread.sleep(60_000);
            return 1;
        };
        List<Transfer<Integer>> list = List.of(transfer, transfer);
        assertThatThrownBy(() -> transfers(list, 2).run()).isSameAs(first);
        for (int i = 0; i < 20; i++) {
            assertThat(pool.submit(() -> Thread.currentThread().isInterrupted()).get())
                    .isFalse();
        }
    }

    @Test
    void worksWithoutAFreeThread() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            pool.execute(() -> {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertThat(transfers(List.of(open -> 1, open -> 2, open -> 3), 3).run()).containsExactly(1, 2, 3);
        end.countDown();
    }

    @Test
    void aShutDownExecutorIsAFailure() {
        pool.shutdown();
        assertThatThrownBy(() -> transfers(List.of(open -> 1, open -> 2), 2).run())
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void whatHasBegunEndsBeforeTheFailureForWantOfAThread() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch runs = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Transfer<Integer> slow = open -> {
            runs.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.set(true);
            }
            return 1;
        };
        Executor one = work -> {
            if (begun.getAndIncrement() > 0) {
                try {
                    runs.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new OutOfMemoryError("unable to create native thread");
            }
            pool.execute(work);
        };
        assertThatThrownBy(() -> new Transfers<>(List.of(slow, slow, slow), 3, one).run())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unable to create native thread");
        assertThat(ended).isTrue();
    }

    @Test
    void anInterruptOfTheCallerCancels() throws Exception {
        Thread caller = Thread.currentThread();
        CountDownLatch begun = new CountDownLatch(1);
        Transfer<Integer> transfer = open -> {
            if (Thread.currentThread() != caller) {
                Stuck stuck = open.register(new Stuck());
                return stuck.use(begun);
            }
            begun.await();
            return 5;
        };
        Thread interrupter = new Thread(() -> {
            try {
                begun.await();
                Thread.sleep(100);
                caller.interrupt();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        interrupter.start();
        assertThatThrownBy(() -> transfers(List.of(transfer, transfer), 2).run())
                .isInstanceOf(InterruptedException.class);
        interrupter.join();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(closes).hasValue(1);
    }

    @Test
    void closeCancels() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        Transfers<Integer> transfers = transfers(
                List.of(
                        open -> open.register(new Stuck()).use(begun),
                        open -> open.register(new Stuck()).use(begun),
                        open -> 1),
                2);
        pool.execute(() -> {
            try {
                begun.await();
                transfers.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThatThrownBy(transfers::run).isInstanceOf(CancellationException.class);
        assertThat(closes).hasValue(2);
        Transfers<Integer> closedBefore = transfers(List.of(open -> 1), 2);
        closedBefore.close();
        assertThatThrownBy(closedBefore::run).isInstanceOf(CancellationException.class);
        Transfers<Integer> closedAfter = transfers(List.of(open -> 1), 2);
        assertThat(closedAfter.run()).containsExactly(1);
        closedAfter.close();
    }

    @Test
    void registeringAfterTheEndClosesAtOnce() {
        List<Transfer<Integer>> list = List.of(open -> {
            open.closeAll(new IOException("over"));
            return open.register(new Stuck()).use(new CountDownLatch(1));
        });
        assertThatThrownBy(() -> transfers(list, 1).run()).hasMessage("the transfers were cancelled");
        assertThat(closes).hasValue(1);
    }

    @Test
    void aTransferThatLeavesAStreamOpenFails() {
        List<Transfer<Integer>> list = List.of(open -> {
            open.register(new Stuck());
            return 3;
        });
        assertThatThrownBy(() -> transfers(list, 1).run()).hasMessageContaining("found 1 open");
        assertThat(closes).hasValue(1);
    }

    @Test
    void anyOtherFailureKeepsItsKind() {
        assertThatThrownBy(() -> transfers(
                                List.of(open -> {
                                    throw new IllegalArgumentException("odd");
                                }),
                                1)
                        .run())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> transfers(
                                List.of(open -> {
                                    throw new Exception("checked");
                                }),
                                1)
                        .run())
                .isInstanceOf(IOException.class)
                .hasMessage("checked");
        assertThatThrownBy(() -> transfers(List.of(open -> null), 1).run()).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> transfers(List.of(), 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
