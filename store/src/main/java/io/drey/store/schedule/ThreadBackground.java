package io.drey.store.schedule;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.AccessController;
import java.security.PrivilegedAction;
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
    private static final int THREADS_MAX = 4;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Bytes of a part: a few milliseconds. */
    private static final int STEP_BYTES = 128 << 10;

    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private final int threadsMax;

    /** The monitor of everything below. */
    private final Object lock = new Object();

    private final JobQueue queue;
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
        this.queue = new JobQueue(System.nanoTime(), System.nanoTime());
    }

    @Override
    public Job submit(Urgency urgency, Work work) {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("expected open background threads, found them closed");
            }
            QueuedJob job = queue.submit(System.nanoTime(), urgency, work, this::wake);
            lock.notifyAll();
            if (idleThreads < queue.size() && threads < threadsMax) {
                threads++;
                startThread("drey-background-" + ++threadsStarted);
            }
            return job;
        }
    }

    /**
     * Starts a thread that inherits nothing from the caller's, which may be a task of a job: neither its class loader
     * nor its thread locals, nor, therefore privileged, the access rights of the classes on its stack. Each of them
     * would keep that job's classes for as long as the thread lives.
     */
    @SuppressWarnings("removal")
    private void startThread(String name) {
        Thread thread = AccessController.doPrivileged(
                (PrivilegedAction<Thread>) () -> new Thread(null, this::runJobs, name, 0, false));
        thread.setContextClassLoader(ThreadBackground.class.getClassLoader());
        thread.setDaemon(true);
        thread.start();
    }

    private void wake() {
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    /** The life of a thread. An error that a work lets through ends the thread, and the job, but no other one. */
    private void runJobs() {
        QueuedJob job = null;
        try {
            for (job = next(); job != null; job = next()) {
                long before = CPU.getCurrentThreadCpuTime();
                boolean more = job.work.step(STEP_BYTES);
                long cpuNanos = CPU.getCurrentThreadCpuTime() - before;
                synchronized (lock) {
                    queue.done(job, System.nanoTime(), cpuNanos, more && !closed);
                }
                if (!more) {
                    job.end();
                }
                // Not kept while waiting for the next one: it leads to its store, and to classes of its owner's.
                job = null;
            }
        } finally {
            synchronized (lock) {
                threads--;
            }
            if (job != null) {
                job.end();
            }
        }
    }

    /** The job whose turn it is; null if there was none for long, or the threads are to end. */
    private QueuedJob next() {
        synchronized (lock) {
            long idleUntil = System.nanoTime() + IDLE_NANOS;
            while (!closed) {
                long now = System.nanoTime();
                QueuedJob job = queue.take(now);
                if (job != null) {
                    return job;
                }
                long wait = Math.min(queue.delayNanos(), idleUntil - now);
                if (queue.isEmpty() && wait <= 0) {
                    return null;
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
            return null;
        }
    }

    /** Ends the threads after the parts they are at; jobs that are not done by then never are. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            queue.clear();
            lock.notifyAll();
        }
    }
}
