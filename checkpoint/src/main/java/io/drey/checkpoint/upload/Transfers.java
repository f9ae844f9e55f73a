package io.drey.checkpoint.upload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Moves many files, a bounded number at a time. All succeed, or the first failure ends the others and is thrown; when
 * {@link #run} returns, either way, no transfer runs any more and all that they had open is closed.
 *
 * <p>The calling thread works too: an executor whose threads are busy slows transfers down and never stops them. One that
 * refuses work, as at its end, is a failure. One object is one batch; {@link #close} from any thread cancels it.
 */
public final class Transfers<T> implements Closeable {
    /** Moves one file. */
    @FunctionalInterface
    public interface Transfer<T> {
        /** Registers everything that it opens, so that a failure elsewhere ends it soon; closes it all itself as well. */
        T run(OpenStreams open) throws Exception;
    }

    private final List<Transfer<T>> transfers;
    private final int parallelMax;
    private final Executor executor;
    private final OpenStreams open = new OpenStreams();
    private final List<T> results;

    /** Helper threads inside a transfer: those that a cancellation interrupts. */
    private final Set<Thread> helpers = new HashSet<>();

    private int next;
    private int running;
    private boolean begun;
    private Throwable failure;

    /** @param parallelMax transfers at the same time */
    public Transfers(List<Transfer<T>> transfers, int parallelMax, Executor executor) {
        if (parallelMax < 1) {
            throw new IllegalArgumentException("expected at least one transfer at a time, found " + parallelMax);
        }
        this.transfers = List.copyOf(transfers);
        this.parallelMax = parallelMax;
        this.executor = executor;
        this.results = new ArrayList<>(Collections.nCopies(transfers.size(), null));
    }

    /**
     * Runs all transfers, once, and returns their results in their order.
     *
     * @throws IOException the first failure, or its message around it
     * @throws CancellationException if the batch was closed
     */
    public List<T> run() throws IOException, InterruptedException {
        synchronized (this) {
            if (begun) {
                throw new IllegalStateException("expected a batch of transfers to run once");
            }
            begun = true;
        }
        int threads = Math.min(parallelMax, transfers.size());
        try {
            for (int i = 1; i < threads; i++) {
                executor.execute(() -> work(true));
            }
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            fail(new IOException("the executor of transfers has no thread for them: " + e, e));
        }
        work(false);
        boolean interrupted = awaitHelpers();
        int leaked = open.count();
        if (leaked > 0) {
            fail(new IllegalStateException("expected transfers to close what they open, found " + leaked + " open"));
        }
        Throwable cause;
        synchronized (this) {
            cause = failure;
        }
        if (interrupted && !(cause instanceof InterruptedException)) {
            Thread.currentThread().interrupt();
        }
        if (cause != null) {
            throwFailure(cause);
        }
        return Collections.unmodifiableList(results);
    }

    private void work(boolean helper) {
        int index;
        while ((index = claim(helper)) >= 0) {
            T result = null;
            Throwable thrown = null;
            try {
                result = Objects.requireNonNull(transfers.get(index).run(open), "a transfer returned nothing");
            } catch (Throwable e) {
                // The top of this piece of work: whoever called run() gets it.
                thrown = helper && e instanceof InterruptedException ? interruptedHelper(e) : e;
            }
            release(helper, index, result);
            if (thrown != null) {
                fail(thrown);
            }
            end();
        }
    }

    /** To the caller of run, which nobody interrupted, this is a failure like any other. */
    private static IOException interruptedHelper(Throwable cause) {
        IOException failure = new InterruptedIOException("the thread of a transfer was interrupted");
        failure.initCause(cause);
        return failure;
    }

    /** The next transfer to run, or -1 if there is none or one has failed. */
    private synchronized int claim(boolean helper) {
        if (failure != null || next == transfers.size()) {
            return -1;
        }
        if (helper) {
            helpers.add(Thread.currentThread());
        }
        running++;
        return next++;
    }

    private synchronized void release(boolean helper, int index, T result) {
        results.set(index, result);
        if (helper) {
            helpers.remove(Thread.currentThread());
            if (failure != null) {
                // Takes this batch's own interrupt back: the pool's thread goes on without it.
                Thread.interrupted();
            }
        }
    }

    /** Counts as running until its failure is known: whoever waits for the last one looks at failures next. */
    private synchronized void end() {
        running--;
        notifyAll();
    }

    private void fail(Throwable cause) {
        synchronized (this) {
            if (failure != null) {
                if (failure != cause) {
                    failure.addSuppressed(cause);
                }
                return;
            }
            failure = cause;
            helpers.forEach(Thread::interrupt);
        }
        open.closeAll(cause);
    }

    /** Waits for the transfers of other threads; an interrupt cancels them, and they are waited for all the same. */
    private boolean awaitHelpers() {
        boolean interrupted = false;
        while (true) {
            try {
                synchronized (this) {
                    while (running > 0) {
                        wait();
                    }
                    return interrupted;
                }
            } catch (InterruptedException e) {
                interrupted = true;
                fail(e);
            }
        }
    }

    static void throwFailure(Throwable cause) throws IOException, InterruptedException {
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof InterruptedException e) {
            throw e;
        }
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        throw new IOException(cause.getMessage(), cause);
    }

    /** Cancels the batch: {@link #run} throws soon. After its end this does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            boolean done = begun && next == transfers.size() && running == 0;
            if (failure != null || done) {
                return;
            }
        }
        fail(new CancellationException("the transfers were cancelled"));
    }
}
