package io.drey.flink.state.task;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.util.function.SupplierWithException;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * The thread of a task, and the right to use its store, which one thread has at a time. Others have their requests run
 * in the task's thread: at once if they are that thread already (chained operators have a backend each), else as a mail
 * of the task.
 *
 * <p>Nearly always the task's thread alone uses the store, and does not lock then. But Python and Beam use keyed state
 * from threads of theirs, while the task's thread has mails and timers: so whatever it does beside the operations of
 * states takes the lock always, and these do as soon as another thread has come, which waits for the one that is under
 * way without: Flink's aggregations in Python use a state in the task's thread, too.
 */
public final class TaskThread {
    private static final long ANSWER_SECONDS_MAX = 60;

    /** How long a mail waits for the store before it lets others pass. */
    private static final long LOCK_WAIT_MS = 10;

    private static final long LEAVE_WAIT_NS = 1_000_000;

    private final Thread thread;
    private final MailboxExecutor mailbox;
    private final ReentrantLock lock = new ReentrantLock();

    /** Operations of states that the task's thread is in without the lock; only that writes it. */
    private int unlocked;

    /** Whether the store is freed; under the lock. */
    private boolean ended;

    /** Whether operations ask: another thread has come, as of queryable state without a mailbox, or the end. */
    private volatile boolean shared;

    /** Whether the task's thread is in no operation without the lock, and will not be. */
    private volatile boolean locksAlways;

    private TaskThread(Thread thread, MailboxExecutor mailbox) {
        this.thread = thread;
        this.mailbox = mailbox;
        this.shared = mailbox == null;
        this.locksAlways = shared;
    }

    /** The calling thread, which is creating a backend. */
    public static TaskThread current(Environment environment) {
        return new TaskThread(Thread.currentThread(), mailbox(environment));
    }

    /** The calling thread, of which nothing is requested. */
    public static TaskThread current() {
        return new TaskThread(Thread.currentThread(), null);
    }

    /** A stream task's own mailbox; environments without one have none, or an executor that is just any thread. */
    private static MailboxExecutor mailbox(Environment environment) {
        try {
            MailboxExecutor executor = environment.getMainMailboxExecutor();
            return executor instanceof MailboxExecutorImpl ? executor : null;
        } catch (UnsupportedOperationException | NullPointerException e) {
            // How an environment says that it has none.
            return null;
        }
    }

    /** Whether requests of other threads can be run. */
    public boolean hasMailbox() {
        return mailbox != null;
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    public boolean isAlive() {
        return thread.isAlive();
    }

    /** The right to use the store, for what is not an operation of a state. */
    public Lock lock() {
        return lock;
    }

    /** Before an operation of a state, or several steps that belong together. Hot path. */
    public void enter() {
        if (!isCurrent()) {
            comeToShare();
        } else {
            // First: whoever stops this thread sees it, or this thread sees that one has come.
            unlocked++;
            if (!shared) {
                return;
            }
            unlocked--;
        }
        lock.lock();
        checkNotEnded();
    }

    /**
     * Another thread comes. A thread whose stack is taken is stopped for that: it sees then that it is to lock, and
     * what it is in is seen here, which costs its operations nothing. Waits without the lock, which it may want first.
     */
    private void comeToShare() {
        shared = true;
        while (!locksAlways && !hasLeft()) {
            LockSupport.parkNanos(LEAVE_WAIT_NS);
        }
    }

    private boolean hasLeft() {
        locksAlways = thread.getStackTrace().length == 0 || unlocked == 0;
        return locksAlways;
    }

    /** Ends what began with {@link #enter}, also if another thread has come meanwhile. */
    public void leave() {
        if (isCurrent() && unlocked > 0) {
            unlocked--;
        } else {
            lock.unlock();
        }
    }

    /** Gives the right back if it throws. */
    private void checkNotEnded() {
        if (ended) {
            lock.unlock();
            throw new IllegalStateException("expected keyed state to be used before its task ends, found it used by "
                    + Thread.currentThread().getName() + " when its memory was freed");
        }
    }

    /** Runs a call with the right to use the store. */
    public <T, E extends Exception> T alone(SupplierWithException<T, E> call) throws E {
        if (!isCurrent()) {
            comeToShare();
        }
        lock.lock();
        checkNotEnded();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs what frees the store, after all others are out of it; they do not come back. */
    public void end(Runnable last) {
        lock.lock();
        try {
            ended = true;
            shared = true;
            last.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A request as a mail. Whoever has the store may wait for another store, which may wait for a mail after this one:
     * so that this one is put behind.
     */
    private void runAsMail(Runnable request, String description) throws InterruptedException {
        if (!lock.tryLock(LOCK_WAIT_MS, TimeUnit.MILLISECONDS)) {
            request(mailbox, () -> runAsMail(request, description), description);
            return;
        }
        runUnlessEnded(request);
    }

    /** Gives the right back. */
    private void runUnlessEnded(Runnable request) {
        try {
            if (!ended) {
                request.run();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void request(
            MailboxExecutor mailbox, ThrowingRunnable<? extends Exception> mail, String description) {
        try {
            mailbox.execute(mail, description);
        } catch (RejectedExecutionException e) {
            // The task is ending and gives back everything anyway.
            return;
        }
    }

    /**
     * Runs a request in the task's thread with the right to use the store, at once or soon; never if the task has no
     * mailbox or is ending.
     */
    public void request(Runnable request, String description) {
        if (isCurrent()) {
            lock.lock();
            runUnlessEnded(request);
        } else if (mailbox != null) {
            request(mailbox, () -> runAsMail(request, description), description);
        }
    }

    /** Runs a call like such a request and waits for its answer. */
    public <T> T call(Callable<T> call, String description) throws Exception {
        if (isCurrent()) {
            return alone(call::call);
        }
        if (mailbox == null) {
            throw new IllegalStateException("expected " + description + " in thread " + thread.getName()
                    + ", found it in " + Thread.currentThread().getName() + ", and this task has no mailbox");
        }
        try {
            return mailbox.submit(() -> alone(call::call), description).get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception) {
                throw (Exception) e.getCause();
            }
            throw e;
        } catch (TimeoutException e) {
            throw new TimeoutException("expected an answer to " + description + " within " + ANSWER_SECONDS_MAX
                    + " s, found the task busy: ask again later");
        }
    }
}
