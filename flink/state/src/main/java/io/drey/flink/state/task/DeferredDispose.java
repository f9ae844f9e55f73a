package io.drey.flink.state.task;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Frees a backend, or its changelog, once, and never under the feet of its task. To close one is not to free it: a
 * cancelled task is closed by another thread while its own may still be in there, and a failed one closes its backends
 * before its operators, whose end may use state. The task disposes of the backend when it ends. Where Flink does not
 * (changelogs; operators with asynchronous state on a backend without, FLINK-40037), a thread of this class waits for
 * the task's thread to end, and frees then. Without a mailbox it is no stream task's: State Processor's, which only
 * closes, and in its own thread frees by that.
 */
public final class DeferredDispose {
    private static final long POLL_MS = 10;

    private final TaskThread task;
    private final Runnable action;
    private final AtomicBoolean released = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);

    public DeferredDispose(TaskThread task, Runnable action) {
        this.task = task;
        this.action = action;
    }

    /** Frees now. */
    public void release() {
        if (released.compareAndSet(false, true)) {
            try {
                action.run();
            } finally {
                done.countDown();
            }
        }
    }

    /** Frees as soon as the task disposes or its thread ends; now in the thread of one that only closes. */
    public void releaseSoon() {
        if (task.isCurrent() && !task.hasMailbox()) {
            release();
        } else if (!released.get() && waiting.compareAndSet(false, true)) {
            boolean waits = false;
            try {
                Thread waiter = new Thread(this::awaitTask, "drey-release");
                waiter.setDaemon(true);
                waiter.start();
                waits = true;
            } catch (OutOfMemoryError e) {
                // No thread is to be had, and nobody else may come.
                if (!task.isCurrent()) {
                    throw e;
                }
                release();
            } finally {
                waiting.set(waits);
            }
        }
    }

    private void awaitTask() {
        try {
            while (task.isAlive()) {
                if (done.await(POLL_MS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
