package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class WritesTest {
    private static final long BYTES = 1 << 20;
    private static final long SECOND = 1_000_000_000;

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final SecondAttempts second = new SecondAttempts();
    private final AtomicLong now = new AtomicLong();
    private final BlockingQueue<String> discarded = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void stop() throws InterruptedException {
        release.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(second.running()).isZero();
    }

    private Writes<String> writes(List<Write<String>> list, int parallelMax) {
        return new Writes<>(list, parallelMax, pool, second, now::get, discarded::add);
    }

    /** What an attempt does, given its number from 1 on. */
    @FunctionalInterface
    private interface Deed {
        String run(int number, Attempt attempt) throws IOException;
    }

    private static Write<String> write(Deed deed) {
        AtomicInteger attempts = new AtomicInteger();
        return new Write<>() {
            @Override
            public long bytes() {
                return BYTES;
            }

            @Override
            public String run(Attempt attempt) throws IOException {
                return deed.run(attempts.incrementAndGet(), attempt);
            }
        };
    }

    private static Write<String> named(String name) {
        return write((number, attempt) -> name + number);
    }

    /** One that tells of its end. */
    private static Write<String> named(String name, CountDownLatch ended) {
        return new Write<>() {
            @Override
            public long bytes() {
                return BYTES;
            }

            @Override
            public String run(Attempt attempt) {
                return name + 1;
            }

            @Override
            public void won(String result) {
                ended.countDown();
            }
        };
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("woken").initCause(e);
        }
    }

    /** Stands still, however one calls, until the test ends it. */
    private void hang() {
        now.addAndGet(SECOND);
        boolean interrupted = false;
        while (true) {
            try {
                release.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void returnsAllResultsInOrderAndWritesFewAtATime() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger peak = new AtomicInteger();
        List<Write<String>> list = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String result = "file" + i;
            expected.add(result);
            list.add(write((number, attempt) -> {
                peak.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                running.decrementAndGet();
                return result;
            }));
        }
        assertThat(writes(list, 3).run()).isEqualTo(expected);
        assertThat(peak.get()).isBetween(1, 3);
        assertThat(writes(List.of(), 3).run()).isEmpty();
        assertThat(discarded).isEmpty();
    }

    @Test
    void nobodyWaitsForAWriteThatHangsAndWhatItMakesInTheEndIsDiscarded() throws Exception {
        // Else the other one may seem to take as long, and that to be usual.
        CountDownLatch otherEnded = new CountDownLatch(1);
        List<String> results = writes(
                        List.of(named("a", otherEnded), write((number, attempt) -> {
                            if (number == 1) {
                                await(otherEnded);
                                hang();
                            }
                            return "b" + number;
                        })),
                        2)
                .run();
        assertThat(results).containsExactly("a1", "b2");
        assertThat(second.begun()).isEqualTo(1);
        assertThat(second.won()).isEqualTo(1);
        assertThat(second.running()).isEqualTo(1);
        assertThat(discarded).isEmpty();
        release.countDown();
        assertThat(discarded.take()).isEqualTo("b1");
    }

    @Test
    void anAttemptThatLostIsToldSo() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        List<String> results = writes(
                        List.of(write((number, attempt) -> {
                            if (number == 1) {
                                hang();
                                try {
                                    attempt.wrote(1);
                                } catch (CancellationException e) {
                                    told.countDown();
                                    throw e;
                                }
                            }
                            return "b" + number;
                        })),
                        1)
                .run();
        assertThat(results).containsExactly("b2");
        release.countDown();
        told.await();
    }

    @Test
    void theFirstAttemptMayEndFirstAllTheSame() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        List<String> results = writes(
                        List.of(write((number, attempt) -> {
                            if (number == 1) {
                                now.addAndGet(SECOND);
                                await(begun);
                            } else {
                                begun.countDown();
                                // Not hang(): a third one would begin if the first took its time to end.
                                await(release);
                            }
                            return "b" + number;
                        })),
                        1)
                .run();
        assertThat(results).containsExactly("b1");
        assertThat(second.won()).isZero();
        release.countDown();
        assertThat(discarded.take()).isEqualTo("b2");
    }

    @Test
    void theThirdAttemptIsTheLast() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch third = new CountDownLatch(1);
        Writes<String> batch = writes(
                List.of(write((number, attempt) -> {
                    attempts.incrementAndGet();
                    if (number == Writes.ATTEMPTS_MAX) {
                        third.countDown();
                    }
                    hang();
                    return "b" + number;
                })),
                1);
        Future<List<String>> running = pool.submit(batch::run);
        third.await();
        release.countDown();
        assertThat(running.get()).hasSize(1);
        assertThat(attempts).hasValue(Writes.ATTEMPTS_MAX);
        discarded.take();
        discarded.take();
    }

    @Test
    void whatFailsIsTriedThreeTimes() throws Exception {
        assertThat(writes(
                                List.of(write((number, attempt) -> {
                                    if (number < Writes.ATTEMPTS_MAX) {
                                        throw new IOException("no " + number);
                                    }
                                    return "b" + number;
                                })),
                                1)
                        .run())
                .containsExactly("b3");
        assertThatThrownBy(() -> writes(
                                List.of(named("a"), write((number, attempt) -> {
                                    throw new IOException("no " + number);
                                })),
                                1)
                        .run())
                .isInstanceOf(IOException.class)
                .hasMessage("no 3")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("no 2"));
        assertThat(discarded).containsExactly("a1");
        assertThat(second.begun()).isZero();
    }

    @Test
    void aFailureBesideAnAttemptThatGoesOnIsNoneOfTheFile() throws Exception {
        CountDownLatch failed = new CountDownLatch(2);
        assertThat(writes(
                                List.of(write((number, attempt) -> {
                                    if (number == 1) {
                                        now.addAndGet(SECOND);
                                        await(failed);
                                        return "b" + number;
                                    }
                                    failed.countDown();
                                    throw new IOException("no");
                                })),
                                1)
                        .run())
                .containsExactly("b1");
    }

    @Test
    void aMistakeIsNotTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> writes(
                                List.of(write((number, attempt) -> {
                                    attempts.incrementAndGet();
                                    throw new IllegalArgumentException("odd");
                                })),
                                1)
                        .run())
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(attempts).hasValue(1);
        assertThatThrownBy(() ->
                        writes(List.of(write((number, attempt) -> null)), 1).run())
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> writes(List.of(), 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFailureEndsTheOthersAndDiscardsWhatWasWritten() throws Exception {
        // Else the first one may seem to take as long as the one that hangs, and be tried again.
        CountDownLatch firstEnded = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicInteger later = new AtomicInteger();
        List<Write<String>> list = new ArrayList<>();
        list.add(named("a", firstEnded));
        list.add(write((number, attempt) -> {
            await(firstEnded);
            hanging.countDown();
            hang();
            return "b" + number;
        }));
        list.add(write((number, attempt) -> {
            await(hanging);
            throw new IOException("storage on fire");
        }));
        for (int i = 0; i < 10; i++) {
            list.add(write((number, attempt) -> "later" + later.incrementAndGet()));
        }
        assertThatThrownBy(() -> writes(list, 2).run()).hasMessage("storage on fire");
        assertThat(later).hasValue(0);
        assertThat(discarded.take()).isEqualTo("a1");
        release.countDown();
        assertThat(discarded.take()).startsWith("b");
    }

    @Test
    void closingWaitsForNothingAndWakesWhoWaits() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch woken = new CountDownLatch(1);
        Writes<String> batch = writes(
                List.of(
                        write((number, attempt) -> {
                            begun.countDown();
                            hang();
                            return "deaf" + number;
                        }),
                        write((number, attempt) -> {
                            begun.countDown();
                            try {
                                await(new CountDownLatch(1));
                            } finally {
                                woken.countDown();
                            }
                            return "never";
                        })),
                2);
        Future<?> running = pool.submit(batch::run);
        begun.await();
        batch.close();
        assertThatThrownBy(running::get).hasCauseInstanceOf(CancellationException.class);
        woken.await();
        assertThat(discarded).isEmpty();
        release.countDown();
        assertThat(discarded.take()).startsWith("deaf");
    }

    @Test
    void closingBeforeBeginsNothingAndClosingAfterChangesNothing() throws Exception {
        Writes<String> before = writes(List.of(named("a")), 1);
        before.close();
        assertThatThrownBy(before::run).isInstanceOf(CancellationException.class);
        Writes<String> after = writes(List.of(named("a")), 1);
        assertThat(after.run()).containsExactly("a1");
        after.close();
        assertThatThrownBy(after::run).isInstanceOf(IllegalStateException.class);
        assertThat(discarded).isEmpty();
    }

    @Test
    void anInterruptOfTheCallerCancels() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Writes<String> batch = writes(
                List.of(write((number, attempt) -> {
                    begun.countDown();
                    await(new CountDownLatch(1));
                    return "never";
                })),
                1);
        Future<?> running = pool.submit(batch::run);
        begun.await();
        running.cancel(true);
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void leavesThePoolWithoutItsInterrupts() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            CountDownLatch begun = new CountDownLatch(1);
            Writes<String> batch = new Writes<>(
                    List.of(write((number, attempt) -> {
                        begun.countDown();
                        hang();
                        return "b" + number;
                    })),
                    1,
                    one,
                    second,
                    now::get,
                    discarded::add);
            Future<?> running = pool.submit(batch::run);
            begun.await();
            batch.close();
            assertThatThrownBy(running::get).hasCauseInstanceOf(CancellationException.class);
            release.countDown();
            assertThat(one.submit(() -> Thread.currentThread().isInterrupted()).get())
                    .isFalse();
        } finally {
            one.shutdown();
        }
    }

    @Test
    void withoutAFreeThreadTheCallerWrites() throws Exception {
        List<Thread> threads = new ArrayList<>();
        Writes<String> batch = new Writes<>(
                List.of(
                        write((number, attempt) -> {
                            threads.add(Thread.currentThread());
                            return "a";
                        }),
                        write((number, attempt) -> {
                            threads.add(Thread.currentThread());
                            return "b";
                        })),
                2,
                work -> {
                    throw new RejectedExecutionException("busy");
                },
                second,
                now::get,
                discarded::add);
        assertThat(batch.run()).containsExactly("a", "b");
        assertThat(threads).containsOnly(Thread.currentThread());
    }

    @Test
    void aSecondAttemptThatIsRefusedTakesNothing() throws Exception {
        expectNothingTaken(() -> new RejectedExecutionException("busy"));
    }

    @Test
    void aSecondAttemptWithoutANativeThreadTakesNothing() throws Exception {
        expectNothingTaken(() -> new OutOfMemoryError("unable to create native thread"));
    }

    private void expectNothingTaken(Supplier<Throwable> failure) throws Exception {
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch twice = new CountDownLatch(2);
        AtomicInteger begun = new AtomicInteger();
        Writes<String> batch = new Writes<>(
                List.of(write((number, attempt) -> {
                    now.addAndGet(SECOND);
                    await(twice);
                    return "a" + number;
                })),
                1,
                work -> {
                    if (begun.getAndIncrement() > 0) {
                        refused.incrementAndGet();
                        twice.countDown();
                        throwUnchecked(failure.get());
                    }
                    pool.execute(work);
                },
                second,
                now::get,
                discarded::add);
        assertThat(batch.run()).containsExactly("a1");
        assertThat(refused.get()).isGreaterThanOrEqualTo(2);
        assertThat(second.begun()).isZero();
    }

    @Test
    void aSecondAttemptWithoutAThreadIsNotMadeOnceTheFirstHasEnded() throws Exception {
        CountDownLatch refused = new CountDownLatch(1);
        AtomicReference<Future<?>> first = new AtomicReference<>();
        AtomicInteger made = new AtomicInteger();
        Writes<String> batch = new Writes<>(
                List.of(write((number, attempt) -> {
                    made.incrementAndGet();
                    now.addAndGet(SECOND);
                    await(refused);
                    return "a" + number;
                })),
                1,
                work -> {
                    if (first.get() == null) {
                        first.set(pool.submit(work));
                        return;
                    }
                    refused.countDown();
                    awaitEnd(first.get());
                    throw new RejectedExecutionException("busy");
                },
                second,
                now::get,
                discarded::add);
        assertThat(batch.run()).containsExactly("a1");
        assertThat(made.get()).isEqualTo(1);
        assertThat(second.begun()).isZero();
    }

    @Test
    void aSecondAttemptWithoutAThreadIsTakenBackOnceThoughTheFirstHasFailed() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        CountDownLatch again = new CountDownLatch(1);
        Deque<Future<?>> begun = new ArrayDeque<>();
        Writes<String> batch = new Writes<>(
                List.of(
                        write((number, attempt) -> {
                            if (number > 1) {
                                again.countDown();
                                return "a" + number;
                            }
                            await(other);
                            now.addAndGet(SECOND);
                            await(refused);
                            throw new IOException("no");
                        }),
                        patient(other, again)),
                2,
                work -> {
                    if (begun.size() == 2 && refused.getCount() > 0) {
                        refused.countDown();
                        awaitEnd(begun.getFirst());
                        throw new RejectedExecutionException("busy");
                    }
                    begun.add(pool.submit(work));
                },
                second,
                now::get,
                discarded::add);
        assertThat(batch.run()).containsExactly("a2", "b1");
        assertThat(second.begun()).isZero();
        assertThat(second.running()).isZero();
    }

    /** One that has one attempt at a time. */
    private static Write<String> patient(CountDownLatch begun, CountDownLatch end) {
        return new Write<>() {
            @Override
            public long bytes() {
                return BYTES;
            }

            @Override
            public boolean mayBeOutrun() {
                return false;
            }

            @Override
            public String run(Attempt attempt) throws IOException {
                begun.countDown();
                await(end);
                return "b1";
            }
        };
    }

    private static void throwUnchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    private static void awaitEnd(Future<?> work) {
        try {
            work.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
