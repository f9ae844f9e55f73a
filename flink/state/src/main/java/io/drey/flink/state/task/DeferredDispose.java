package io.drey.flink.state.task;

import io.drey.foundation.DetachedThread;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Frees a backend, or its changelog, once, and never under the feet of its task. To close one is not to free it: a
 * cancelled task is closed by another thread while its own may still be in there, and a failed one closes its backends
 * before its operators, whose end may use state. The task disposes of the backend when it ends. Where Flink does not
 * (changelogs; asynchronous state under a changelog, FLINK-40037), a thread of this class waits for the task's thread to
 * end, and frees then. Without a mailbox it is no stream task's: State Processor's, which only closes, and in its own
 * thread frees by that.
 *
 * <p>Flink may lose one before anybody could close it, when its changelog cannot be replayed into it: that is freed when
 * the next one is about to open in the process, or some seconds after its task's thread has ended. So no backend is for
 * use beyond the thread that has opened it.
 */
public final class DeferredDispose {
    private static final long POLL_MS = 10;

    /** How long whoever opens a backend waits for what lost ones had: a disk may hang. */
    private static final long LOST_WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    /** All that are not freed. */
    private static final SharedTimer<DeferredDispose> HELD =
            new SharedTimer<>("drey-lost", TimeUnit.SECONDS.toNanos(10), DeferredDispose::releaseIfLost);

    private final TaskThread task;
    private final Runnable action;
    private final AtomicBoolean released = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final AtomicBoolean awaited = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);

    public DeferredDispose(TaskThread task, Runnable action) {
        this.task = task;
        this.action = action;
        HELD.add(this);
    }

    /** Frees those whose tasks have ended without it: before another one takes memory and disk. */
    public static void releaseLost() {
        List<DeferredDispose> lost =
                HELD.members().stream().filter(DeferredDispose::releaseIfLost).toList();
        long begin = System.nanoTime();
        try {
            for (DeferredDispose each : lost) {
                // Once: nobody waits again for one that hangs.
                if (!each.awaited.compareAndSet(false, true)) {
                    continue;
                }
                each.done.await(begin + LOST_WAIT_NANOS_MAX - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            // The task is cancelled: whatever it opens finds that.
            Thread.currentThread().interrupt();
        }
    }

    private boolean releaseIfLost() {
        boolean lost = !task.isAlive();
        if (lost) {
            releaseSoon();
        }
        return lost;
    }

    /** Frees now. */
    public void release() {
        if (released.compareAndSet(false, true)) {
            try {
                action.run();
            } finally {
                HELD.remove(this);
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
                // Maybe from the thread of another job's task.
                DetachedThread.of("drey-release", this::awaitTask).start();
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
