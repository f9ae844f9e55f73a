package io.drey.flink.state.task;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;

/**
 * The one thread that may touch a store. Others have their requests run in it: at once if they are that thread already
 * (chained operators have a backend each), else as a mail of the task.
 */
public final class TaskThread {
    private static final long ANSWER_SECONDS_MAX = 60;

    private final Thread thread;
    private final MailboxExecutor mailbox;

    private TaskThread(Thread thread, MailboxExecutor mailbox) {
        this.thread = thread;
        this.mailbox = mailbox;
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

    /** Runs a request in the task's thread, at once or soon; never if the task has no mailbox or is ending. */
    public void request(Runnable request, String description) {
        if (isCurrent()) {
            request.run();
        } else if (mailbox != null) {
            try {
                mailbox.execute(request::run, description);
            } catch (RejectedExecutionException e) {
                // The task is ending and gives back everything anyway.
                return;
            }
        }
    }

    /** Runs a call in the task's thread and waits for its answer. */
    public <T> T call(Callable<T> call, String description) throws Exception {
        if (isCurrent()) {
            return call.call();
        }
        if (mailbox == null) {
            throw new IllegalStateException("expected " + description + " in thread " + thread.getName()
                    + ", found it in " + Thread.currentThread().getName() + ", and this task has no mailbox");
        }
        try {
            return mailbox.submit(call, description).get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
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
