package io.drey.flink.state.task;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Frees a backend, or its changelog, once, and never under the feet of its task. Whoever closes it in the task's thread
 * frees it at once. When a cancelled task is closed by another thread, its own thread may still be in there: then the
 * task disposes of the backend when it ends. Where Flink does not (changelogs; operators with asynchronous state on a
 * backend without, FLINK-40037), a thread of this class waits for the task's thread to end, and frees then.
 */
public final class DeferredDispose {
    private static final long POLL_MS = 50;

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

    /** Frees now in the task's thread, else as soon as the task disposes or its thread ends. */
    public void releaseSoon() {
        if (task.isCurrent()) {
            release();
        } else if (!released.get() && waiting.compareAndSet(false, true)) {
            boolean waits = false;
            try {
                Thread waiter = new Thread(this::awaitTask, "drey-release");
                waiter.setDaemon(true);
                waiter.start();
                waits = true;
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
