package io.drey.store.schedule;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A few daemon threads for all stores of a process; seals before merges, else first come, first served. */
public final class ThreadBackground implements Background, AutoCloseable {
    private static final int THREADS_MAX = 4;
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor threads;
    private final AtomicLong sequence = new AtomicLong();

    /** A pool of half the cores, at least one thread and at most {@value #THREADS_MAX}. */
    public ThreadBackground() {
        this(Math.max(1, Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors() / 2)));
    }

    public ThreadBackground(int threadCount) {
        BlockingQueue<Runnable> queue = new PriorityBlockingQueue<>();
        AtomicLong number = new AtomicLong();
        threads = new ThreadPoolExecutor(threadCount, threadCount, IDLE_SECONDS, TimeUnit.SECONDS, queue, task -> {
            Thread thread = new Thread(task, "drey-background-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public Job submit(Urgency urgency, Runnable task) {
        QueuedJob job = new QueuedJob(urgency, sequence.incrementAndGet(), task);
        threads.execute(job);
        return job;
    }

    /** Ends the threads after their current jobs; jobs not started are dropped. */
    @Override
    public void close() {
        threads.shutdownNow();
    }

    private static final class QueuedJob implements Job, Runnable, Comparable<QueuedJob> {
        private final Urgency urgency;
        private final long order;
        private final Runnable task;
        private final CountDownLatch done = new CountDownLatch(1);

        QueuedJob(Urgency urgency, long order, Runnable task) {
            this.urgency = urgency;
            this.order = order;
            this.task = task;
        }

        @Override
        public void run() {
            try {
                task.run();
            } finally {
                done.countDown();
            }
        }

        @Override
        public boolean isDone() {
            return done.getCount() == 0;
        }

        @Override
        public void await() throws InterruptedException {
            done.await();
        }

        @Override
        public int compareTo(QueuedJob other) {
            int byUrgency = urgency.compareTo(other.urgency);
            return byUrgency != 0 ? byUrgency : Long.compare(order, other.order);
        }
    }
}
