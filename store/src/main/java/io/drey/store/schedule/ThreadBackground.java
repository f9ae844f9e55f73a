package io.drey.store.schedule;

import io.drey.foundation.DetachedThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * A few daemon threads for all stores of a process. A thread takes the most urgent job, does a part of it, puts it back
 * and looks again: so a flush waits for one part of a compaction and no longer, even if there is one thread only. What
 * is not urgent keeps a pace, which {@link JobQueue} decides.
 *
 * <p>Jobs are few, one or two a store, so they are looked through one by one under the one lock. What a thread did of a
 * job, the next one sees, because both held the lock in between.
 */
public final class ThreadBackground implements Background, AutoCloseable {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Of a thread, which another one follows: what a job's classes left in its locals goes with it. */
    private static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** Bytes of a part: a few milliseconds. */
    private static final int STEP_BYTES = 128 << 10;

    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private final int threadsMax;
    private final long lifeNanos;

    /** The monitor of everything below. */
    private final Object lock = new Object();

    private final JobQueue queue;

    private final QueuedJob.Owner owner = new QueuedJob.Owner() {
        @Override
        public void hurried() {
            synchronized (lock) {
                lock.notifyAll();
            }
        }

        @Override
        public boolean withdraw(QueuedJob job) {
            synchronized (lock) {
                return queue.withdraw(job);
            }
        }
    };

    private long threadsStarted;
    private int threads;
    private int idleThreads;

    /** Why no more jobs are done: they were closed, or what decides whose turn it is has failed; null as long as not. */
    private Throwable ended;

    /** A pool of half the cores: where tasks fill the others, flushes and compactions take about as much again. */
    public ThreadBackground() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    public ThreadBackground(int threadsMax) {
        this(threadsMax, LIFE_NANOS);
    }

    ThreadBackground(int threadsMax, long lifeNanos) {
        this.threadsMax = threadsMax;
        this.lifeNanos = lifeNanos;
        this.queue = new JobQueue(System.nanoTime(), System.nanoTime());
    }

    @Override
    public Job submit(Urgency urgency, Work work) {
        synchronized (lock) {
            if (ended != null) {
                throw new IllegalStateException(ended.getMessage(), ended);
            }
            // Before the job is queued: where none is to be had, nobody runs what was refused.
            if (idleThreads <= queue.size() && threads < threadsMax) {
                startThread();
            }
            QueuedJob job = queue.submit(System.nanoTime(), urgency, work, owner);
            lock.notifyAll();
            return job;
        }
    }

    /** Starts one more thread; if there is none to be had, false, or it throws if there are no others for the jobs. */
    private boolean startThread() {
        try {
            DetachedThread.of("drey-background-" + (threadsStarted + 1), this::runJobs)
                    .start();
        } catch (OutOfMemoryError e) {
            if (threads == 0) {
                throw e;
            }
            return false;
        }
        threadsStarted++;
        threads++;
        return true;
    }

    /** Starts a thread in place of this one, which ends then; false if there is none to be had. */
    private boolean handOver() {
        synchronized (lock) {
            boolean started = startThread();
            threads -= started ? 1 : 0;
            return started;
        }
    }

    /**
     * The life of a thread. An error that a work lets through ends its job and no other one. One of what decides whose
     * turn it is ends all of them, so that nobody waits for ever.
     */
    private void runJobs() {
        long bornNanos = System.nanoTime();
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = runNext() && (System.nanoTime() - bornNanos < lifeNanos || !handOver());
            }
        } catch (Throwable e) {
            Throwable told = e;
            try {
                told = new IllegalStateException(
                        "expected background threads to go on, found one that failed: " + e, e);
            } finally {
                end(told);
            }
        }
    }

    /**
     * Runs a part of the next job; false if there was none. The job is not kept while a thread waits: it leads to a
     * store, and to classes of that one's owner.
     */
    private boolean runNext() {
        QueuedJob job = next();
        if (job != null) {
            run(job);
        }
        return job != null;
    }

    private void run(QueuedJob job) {
        boolean more = false;
        Throwable failure = null;
        try {
            more = runPart(job);
        } catch (Throwable e) {
            failure = e;
        }
        if (failure != null) {
            synchronized (lock) {
                queue.remove(job);
            }
            abandon(job, failure);
        } else if (!more) {
            job.end();
        }
    }

    private boolean runPart(QueuedJob job) {
        long before = CPU.getCurrentThreadCpuTime();
        boolean more = job.work.step(STEP_BYTES);
        long cpuNanos = CPU.getCurrentThreadCpuTime() - before;
        synchronized (lock) {
            if (more && ended != null) {
                throw new IllegalStateException(ended.getMessage(), ended);
            }
            queue.done(job, System.nanoTime(), cpuNanos, more);
        }
        return more;
    }

    private static void abandon(QueuedJob job, Throwable cause) {
        try {
            job.work.abandoned(cause);
        } finally {
            job.end();
        }
    }

    /** The job whose turn it is; null if there was none for long, or the threads are to end. */
    private QueuedJob next() {
        synchronized (lock) {
            long idleUntil = System.nanoTime() + IDLE_NANOS;
            while (ended == null) {
                long now = System.nanoTime();
                QueuedJob job = queue.take(now);
                if (job != null) {
                    return job;
                }
                long wait = Math.min(queue.delayNanos(), idleUntil - now);
                if (queue.isEmpty() && wait <= 0) {
                    break;
                }
                idleThreads++;
                try {
                    TimeUnit.NANOSECONDS.timedWait(lock, Math.max(1, wait));
                } catch (InterruptedException e) {
                    // Nobody interrupts these threads; what ran in one may have, and that is over.
                    continue;
                } finally {
                    idleThreads--;
                }
            }
            // Under the same lock as the last look, so that whoever submits now counts on no thread that is leaving.
            threads--;
            return null;
        }
    }

    /** Whether it takes no more jobs. */
    public boolean hasEnded() {
        synchronized (lock) {
            return ended != null;
        }
    }

    /** Ends the threads after the parts they are at, and all jobs that are not done by then. */
    @Override
    public void close() {
        end(new CancellationException("expected open background threads, found them closed"));
    }

    private void end(Throwable cause) {
        List<QueuedJob> waiting;
        synchronized (lock) {
            if (ended == null) {
                ended = cause;
            }
            waiting = queue.clear();
            lock.notifyAll();
        }
        waiting.forEach(job -> abandon(job, cause));
    }
}
