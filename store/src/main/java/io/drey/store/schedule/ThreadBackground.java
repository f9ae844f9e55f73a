package io.drey.store.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A few daemon threads for all stores of a process. A thread takes the most urgent job, does a part of it, puts it back
 * and looks again: so a seal waits for one part of a merge and no longer, even if there is one thread only.
 *
 * <p>Jobs are few, one or two a store, so they are looked through one by one under the one lock. What a thread did of a
 * job, the next one sees, because both held the lock in between.
 */
public final class ThreadBackground implements Background, AutoCloseable {
    private static final int THREADS_MAX = 4;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Bytes of a part: a few milliseconds. */
    private static final int STEP_BYTES = 128 << 10;

    private final int threadsMax;

    /** The monitor of everything below. */
    private final Object lock = new Object();

    private final List<QueuedJob> waiting = new ArrayList<>();
    private long submitted;
    private long threadsStarted;
    private int threads;
    private int idleThreads;
    private boolean closed;

    /** A pool of half the cores, at least one thread and at most {@value #THREADS_MAX}. */
    public ThreadBackground() {
        this(Math.max(1, Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors() / 2)));
    }

    public ThreadBackground(int threadsMax) {
        this.threadsMax = threadsMax;
    }

    @Override
    public Job submit(Urgency urgency, Work work) {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("expected open background threads, found them closed");
            }
            QueuedJob job = new QueuedJob(urgency, submitted++, work);
            enqueue(job);
            return job;
        }
    }

    private void enqueue(QueuedJob job) {
        waiting.add(job);
        lock.notifyAll();
        if (idleThreads < waiting.size() && threads < threadsMax) {
            threads++;
            Thread thread = new Thread(this::runJobs, "drey-background-" + ++threadsStarted);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** The life of a thread. An error that a work lets through ends the thread, and the job, but no other one. */
    private void runJobs() {
        QueuedJob job = null;
        boolean more = false;
        try {
            for (job = next(null); job != null; job = next(more ? job : null)) {
                more = false;
                more = job.work.step(STEP_BYTES);
                if (!more) {
                    job.done.countDown();
                }
            }
        } finally {
            if (job != null) {
                job.done.countDown();
            }
            synchronized (lock) {
                threads--;
            }
        }
    }

    /** Puts a job back and takes the most urgent one; null if there was none for long, or the threads are to end. */
    private QueuedJob next(QueuedJob unfinished) {
        synchronized (lock) {
            if (unfinished != null && !closed) {
                waiting.add(unfinished);
            }
            long idleUntil = System.nanoTime() + IDLE_NANOS;
            while (!closed && waiting.isEmpty()) {
                long left = idleUntil - System.nanoTime();
                if (left <= 0) {
                    return null;
                }
                idleThreads++;
                try {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                } catch (InterruptedException e) {
                    // Nobody interrupts these threads but code that ran in them; a new thread takes over when needed.
                    return null;
                } finally {
                    idleThreads--;
                }
            }
            if (closed) {
                return null;
            }
            QueuedJob job = Collections.min(waiting);
            waiting.remove(job);
            return job;
        }
    }

    /** Ends the threads after the parts they are at; jobs that are not done by then never are. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            waiting.clear();
            lock.notifyAll();
        }
    }

    private static final class QueuedJob extends JobOrder {
        private final Work work;
        private final CountDownLatch done = new CountDownLatch(1);

        QueuedJob(Urgency urgency, long sequence, Work work) {
            super(urgency, sequence);
            this.work = work;
        }

        @Override
        public boolean isDone() {
            return done.getCount() == 0;
        }

        @Override
        public void await() throws InterruptedException {
            done.await();
        }
    }
}
