package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drey.store.schedule.Background.Job;
import io.drey.store.schedule.Background.Urgency;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ThreadBackgroundTest {
    private final List<String> steps = Collections.synchronizedList(new ArrayList<>());

    /** Work of a number of steps that are written down. */
    private Background.Work work(String name, int count) {
        AtomicInteger left = new AtomicInteger(count);
        return bytes -> {
            steps.add(name);
            return left.decrementAndGet() > 0;
        };
    }

    /** Holds the only thread until all jobs of a test are submitted. */
    private static Background.Work gate(CountDownLatch open) {
        return bytes -> {
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return false;
        };
    }

    @Test
    void aFlushWaitsForOneStepOfACompactionOnTheOnlyThread() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            AtomicInteger left = new AtomicInteger(4);
            Job compaction = background.submit(Urgency.COMPACTION, bytes -> {
                steps.add("compaction");
                if (left.get() == 3) {
                    background.submit(Urgency.FLUSH, work("flush", 2));
                }
                return left.decrementAndGet() > 0;
            });
            compaction.await();
            assertThat(steps).containsExactly("compaction", "compaction", "flush", "flush", "compaction", "compaction");
        }
    }

    @Test
    void theMostUrgentAndThenTheFirstSubmittedJobIsNext() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            CountDownLatch open = new CountDownLatch(1);
            background.submit(Urgency.WAITED_FOR, gate(open));
            List<Job> jobs = List.of(
                    background.submit(Urgency.COMPACTION, work("compaction 1", 2)),
                    background.submit(Urgency.COMPACTION, work("compaction 2", 1)),
                    background.submit(Urgency.FLUSH, work("flush 1", 1)),
                    background.submit(Urgency.GARBAGE, work("garbage", 1)),
                    background.submit(Urgency.FLUSH, work("flush 2", 2)));
            open.countDown();
            for (Job job : jobs) {
                job.await();
                assertThat(job.isDone()).isTrue();
            }
            assertThat(steps)
                    .containsExactly(
                            "flush 1", "flush 2", "flush 2", "garbage", "compaction 1", "compaction 1", "compaction 2");
        }
    }

    @Test
    void aJobThatSomebodyWaitsForOvertakesAllOthers() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            CountDownLatch open = new CountDownLatch(1);
            background.submit(Urgency.WAITED_FOR, gate(open));
            Job flush = background.submit(Urgency.FLUSH, work("flush", 1));
            Job compaction = background.submit(Urgency.COMPACTION, work("compaction", 2));
            compaction.hurry();
            open.countDown();
            flush.await();
            assertThat(steps).containsExactly("compaction", "compaction", "flush");
        }
    }

    @Test
    void aFlushThatSomebodyWaitsForStandsBehindNoCompaction() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            CountDownLatch open = new CountDownLatch(1);
            background.submit(Urgency.WAITED_FOR, gate(open));
            Job compaction = background.submit(Urgency.COMPACTION, work("compaction", 2));
            Job flush = background.submit(Urgency.FLUSH, work("flush", 1));
            compaction.hurry();
            flush.hurry();
            open.countDown();
            compaction.await();
            assertThat(steps).containsExactly("flush", "compaction", "compaction");
        }
    }

    /** What a job's classes keep in thread locals would live as long as any other job keeps the threads busy. */
    @Test
    void aThreadThatHasLivedItsTimeIsReplacedInTheMidstOfWork() throws Exception {
        Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
        try (ThreadBackground background = new ThreadBackground(1, 0)) {
            AtomicInteger left = new AtomicInteger(5);
            Job job = background.submit(Urgency.FLUSH, bytes -> {
                threads.add(Thread.currentThread());
                return left.decrementAndGet() > 0;
            });
            job.await();
            background.submit(Urgency.FLUSH, work("next", 2)).await();
            assertThat(threads).hasSize(5);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(steps).containsExactly("next", "next");
        }
    }

    /** Work of one part that fails, and notes why it was given up. */
    private final class Failing implements Background.Work {
        @Override
        public boolean step(int bytes) {
            throw new IllegalStateException("broken");
        }

        @Override
        public void abandoned(Throwable cause) {
            steps.add("abandoned: " + cause.getMessage());
        }
    }

    /** Work that fails when it is asked for its pace, as soon as it is told to. */
    private static final class PacelessWork implements Background.Work {
        private volatile boolean fails;

        @Override
        public boolean step(int bytes) {
            return true;
        }

        @Override
        public double bytesPerSecond() {
            if (fails) {
                throw new IllegalStateException("no pace");
            }
            return 1;
        }

        @Override
        public void abandoned(Throwable cause) {}
    }

    @Test
    void anErrorEndsItsJobWithItsCauseAndNoOther() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            CountDownLatch open = new CountDownLatch(1);
            background.submit(Urgency.WAITED_FOR, gate(open));
            Job failing = background.submit(Urgency.FLUSH, new Failing());
            Job next = background.submit(Urgency.COMPACTION, work("compaction", 3));
            open.countDown();
            failing.await();
            next.await();
            assertThat(steps).containsExactly("abandoned: broken", "compaction", "compaction", "compaction");
        }
    }

    @Test
    void aThreadThatFailsBetweenJobsEndsAllOfThemWithTheCause() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            CountDownLatch open = new CountDownLatch(1);
            background.submit(Urgency.WAITED_FOR, gate(open));
            PacelessWork paceless = new PacelessWork();
            background.submit(Urgency.COMPACTION, paceless);
            Job waiting = background.submit(Urgency.FLUSH, new Failing());
            paceless.fails = true;
            open.countDown();
            waiting.await();
            assertThat(steps).hasSize(1);
            assertThat(steps.get(0))
                    .startsWith("abandoned: expected background threads")
                    .contains("no pace");
            assertThatThrownBy(() -> background.submit(Urgency.FLUSH, work("late", 1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no pace");
        }
    }

    @Test
    void jobsThatAreNotDoneWhenTheThreadsAreClosedEnd() throws Exception {
        ThreadBackground background = new ThreadBackground(1);
        CountDownLatch open = new CountDownLatch(1);
        background.submit(Urgency.WAITED_FOR, gate(open));
        Job waiting = background.submit(Urgency.FLUSH, new Failing());
        background.close();
        waiting.await();
        open.countDown();
        assertThat(steps).containsExactly("abandoned: expected open background threads, found them closed");
    }

    /** A job's task, of classes that go with the job. */
    public static final class Task implements Consumer<Runnable> {
        @Override
        public void accept(Runnable submit) {
            new InheritableThreadLocal<Task>().set(this);
            submit.run();
        }
    }

    /** Loads {@link Task} itself, as a cluster does with each job's classes. */
    private static final class JobLoader extends URLClassLoader {
        JobLoader() {
            super(
                    new URL[] {Task.class.getProtectionDomain().getCodeSource().getLocation()},
                    Task.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Task.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
        }
    }

    /** Submits a job as a task would whose classes a loader of its own has; which is then only weakly known. */
    @SuppressWarnings("unchecked")
    private static WeakReference<ClassLoader> submitAsTask(Runnable submit) throws Exception {
        JobLoader loader = new JobLoader();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Consumer<Runnable> task = (Consumer<Runnable>)
                loader.loadClass(Task.class.getName()).getDeclaredConstructor().newInstance();
        assertThat(task).isNotInstanceOf(Task.class);
        Thread thread = new Thread(() -> task.accept(submit));
        thread.setContextClassLoader(loader);
        thread.setUncaughtExceptionHandler((ignored, e) -> failure.set(e));
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
        return new WeakReference<>(loader);
    }

    private static void awaitCollection(WeakReference<?> forgotten) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (forgotten.get() != null && System.nanoTime() < end) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(forgotten.get()).as("what nobody needs any more").isNull();
    }

    @Test
    void anIdleThreadForgetsItsLastJob() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            Background.Work last = work("last", 2);
            background.submit(Urgency.FLUSH, last).await();
            WeakReference<Background.Work> forgotten = new WeakReference<>(last);
            last = null;
            awaitCollection(forgotten);
        }
    }

    @Test
    void threadsKeepNoClassesOfTheJobThatStartedThem() throws Exception {
        try (ThreadBackground background = new ThreadBackground(1)) {
            CountDownLatch open = new CountDownLatch(1);
            AtomicReference<ClassLoader> seen = new AtomicReference<>();
            WeakReference<ClassLoader> loader = submitAsTask(() -> background.submit(Urgency.FLUSH, bytes -> {
                seen.set(Thread.currentThread().getContextClassLoader());
                return gate(open).step(bytes);
            }));
            awaitCollection(loader);
            open.countDown();
            background.submit(Urgency.FLUSH, work("last", 1)).await();
            assertThat(seen.get()).isSameAs(ThreadBackground.class.getClassLoader());
        }
    }

    /** A thread of which no other thread can be made before JDK 19. */
    private static final class Childless extends Thread {
        Childless(Runnable work) {
            super(work);
        }

        @Override
        public ClassLoader getContextClassLoader() {
            throw new IllegalStateException("no more threads");
        }
    }

    /** Its owner closes what the job would need. */
    @Test
    void aJobIsNotTakenBySomeThreadWhereTheSubmissionHasFailed() throws Exception {
        assumeThat(Runtime.version().feature()).isLessThan(19);
        try (ThreadBackground background = new ThreadBackground(2)) {
            CountDownLatch open = new CountDownLatch(1);
            background.submit(Urgency.WAITED_FOR, gate(open));
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread owner = new Childless(() -> background.submit(Urgency.FLUSH, work("refused", 1)));
            owner.setUncaughtExceptionHandler((ignored, e) -> failure.set(e));
            owner.start();
            owner.join();
            assertThat(failure.get()).hasMessage("no more threads");
            open.countDown();
            background.submit(Urgency.FLUSH, work("next", 1)).await();
            background.submit(Urgency.COMPACTION, work("last", 1)).await();
            assertThat(steps).containsExactly("next", "last");
        }
    }

    @Test
    void closedThreadsTakeNoJobs() throws Exception {
        ThreadBackground background = new ThreadBackground(2);
        background.submit(Urgency.FLUSH, work("flush", 1)).await();
        background.close();
        assertThatThrownBy(() -> background.submit(Urgency.FLUSH, work("late", 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("found them closed");
    }
}
