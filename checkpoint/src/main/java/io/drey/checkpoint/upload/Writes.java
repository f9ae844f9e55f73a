package io.drey.checkpoint.upload;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes many files into a storage that is slow at times, and fails at times, a bounded number at once. A file has up
 * to {@link #ATTEMPTS_MAX} attempts, each under a name of its own: the next one begins when the last one has failed, or
 * does not get on, see {@link SecondAttempts}. The first that ends well is the file. All files are written, or a failure
 * ends the others and is thrown.
 *
 * <p>Nobody waits for an attempt that lost: it is told at its next part that it is not wanted, deletes what it wrote,
 * and if it ends well all the same, what it made is discarded. That may be long after {@link #run} has returned, also
 * after whatever the files are of has gone. So a storage that does not answer keeps a thread, and nothing else.
 *
 * <p>Attempts run in threads of an executor, which refuses what it has no thread for; then the calling thread works
 * too. One object is one batch; {@link #close} from any thread cancels it, and waits for nothing.
 */
public final class Writes<T> implements Closeable {
    /** Of one file. */
    public static final int ATTEMPTS_MAX = 3;

    /** Time between two looks at how attempts get on. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** More between two looks is time in which the process stood still: nothing of it is the storage's. */
    private static final long STEP_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final List<File> files = new ArrayList<>();
    private final int parallelMax;
    private final Executor executor;
    private final SecondAttempts second;
    private final Clock clock;
    private final Consumer<T> discard;

    /** Files begun and neither written nor given up. */
    private final List<File> active = new ArrayList<>();

    private int next;
    private boolean begun;

    /** When the clock was asked last, and how long the process has stood still. */
    private long askedNanos;

    private long stoodNanos;

    /** Whether the thread that looks hands out an attempt, which it may have to do itself. */
    private boolean handsOut;

    /** Opens when an attempt has ended, or all is over; then there is another one. */
    private CountDownLatch change = new CountDownLatch(1);

    private Throwable failure;

    /** Time as a batch sees it. */
    @FunctionalInterface
    public interface Clock {
        /** Nanoseconds, of which only differences mean something. */
        long nanos();

        /** Waits until the latch is open; false if it is not after so many nanoseconds. */
        default boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
            return latch.await(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Writes one file. */
    public interface Write<T> {
        long bytes();

        /** Whether another attempt may begin beside one that does not get on, which may then outlive the batch. */
        default boolean mayBeOutrun() {
            return true;
        }

        /** Does it under a new name, also while another attempt goes on; what was written goes if this throws. */
        T run(Attempt attempt) throws IOException;

        /** That is the file. Other files may still fail the batch; under a lock. */
        default void won(T result) {}
    }

    /** The reports of an attempt. */
    public interface Attempt {
        /**
         * So much more is written; 0 just asks.
         *
         * @throws CancellationException if nobody wants the rest
         */
        void wrote(long bytes);
    }

    private final class File {
        final Write<T> write;
        final List<Run> running = new ArrayList<>(1);
        int attempts;

        /** Further attempts of which none has ended for nothing yet. */
        int extra;

        T result;
        IOException failed;

        File(Write<T> write) {
            this.write = write;
        }
    }

    /** An attempt; all fields are guarded by the batch. */
    private final class Run implements Runnable, Attempt {
        final File file;
        final boolean extra;
        private Thread thread;
        private long beginNanos;
        private long movedNanos;
        private long pauseMax;
        private long written;
        private boolean unwanted;
        private boolean interrupted;

        Run(File file, boolean extra) {
            this.file = file;
            this.extra = extra;
        }

        @Override
        public void run() {
            T result = null;
            Throwable thrown = null;
            try {
                enter();
                result = Objects.requireNonNull(file.write.run(this), "a write returned nothing");
            } catch (Throwable e) {
                // The top of this piece of work: whoever called run() gets it, unless nobody wants the file from here.
                thrown = e;
            }
            if (!ended(this, result, thrown) && result != null) {
                discard.accept(result);
            }
        }

        private void enter() {
            synchronized (Writes.this) {
                thread = Thread.currentThread();
                beginNanos = ran(clock.nanos());
                movedNanos = beginNanos;
            }
            wrote(0);
        }

        @Override
        public void wrote(long bytes) {
            synchronized (Writes.this) {
                written += bytes;
                moved(ran(clock.nanos()));
                if (unwanted) {
                    throw new CancellationException("this attempt to write a file is not wanted any more");
                }
            }
        }

        private void moved(long ranNanos) {
            pauseMax = Math.max(pauseMax, ranNanos - movedNanos);
            movedNanos = ranNanos;
        }

        void cancel() {
            unwanted = true;
            if (thread != null) {
                interrupted = true;
                thread.interrupt();
            }
        }

        void leave() {
            thread = null;
            if (interrupted) {
                // Takes back what this batch did: a pool's thread goes on without it.
                Thread.interrupted();
            }
        }
    }

    /**
     * @param parallelMax files at the same time
     * @param discard told of each result that is not wanted, in any thread: to delete what was written
     */
    public Writes(
            List<? extends Write<T>> writes,
            int parallelMax,
            Executor executor,
            SecondAttempts second,
            Clock clock,
            Consumer<T> discard) {
        if (parallelMax < 1) {
            throw new IllegalArgumentException("expected at least one file at a time, found " + parallelMax);
        }
        writes.forEach(write -> files.add(new File(write)));
        this.parallelMax = parallelMax;
        this.executor = executor;
        this.second = second;
        this.clock = clock;
        this.askedNanos = clock.nanos();
        this.discard = discard;
    }

    /** The time without that in which the process, and so its looks, stood still: as with its machine. */
    private long ran(long now) {
        if (!handsOut) {
            stoodNanos += Math.max(0, now - askedNanos - STEP_NANOS_MAX);
        }
        askedNanos = now;
        return now - stoodNanos;
    }

    /**
     * Writes all files, once, and returns the results in their order.
     *
     * @throws IOException the failure of the last attempt of a file, with those before suppressed
     * @throws CancellationException if the batch was closed
     */
    public List<T> run() throws IOException, InterruptedException {
        synchronized (this) {
            if (begun) {
                throw new IllegalStateException("expected a batch of writes to run once");
            }
            begun = true;
        }
        boolean interrupted = false;
        try {
            do {
                look();
            } while (awaitChange());
        } catch (Throwable e) {
            interrupted = e instanceof InterruptedException;
            fail(e);
        }
        try {
            return results();
        } finally {
            if (interrupted && !(failure instanceof InterruptedException)) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Begins the attempts that are due. */
    void look() {
        boolean others = false;
        List<Run> due = due();
        handsOut(true);
        for (Run run : due) {
            try {
                executor.execute(run);
                others = true;
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                if (!putBack(run, others)) {
                    run.run();
                }
            }
        }
        handsOut(false);
    }

    private synchronized void handsOut(boolean does) {
        ran(clock.nanos());
        handsOut = does;
    }

    /** Once the batch is over. */
    List<T> results() throws IOException, InterruptedException {
        Throwable cause;
        synchronized (this) {
            cause = failure;
        }
        if (cause != null) {
            files.stream().filter(file -> file.result != null).forEach(file -> discard.accept(file.result));
            Transfers.throwFailure(cause);
        }
        return files.stream().map(file -> file.result).toList();
    }

    /** The attempts that should begin now. */
    private synchronized List<Run> due() {
        List<Run> due = new ArrayList<>();
        if (failure != null) {
            return due;
        }
        while (active.size() < parallelMax && next < files.size()) {
            active.add(files.get(next++));
        }
        long now = clock.nanos();
        long ran = ran(now);
        for (File file : active) {
            if (file.running.isEmpty()) {
                due.add(attempt(file, false));
            } else if (file.attempts < ATTEMPTS_MAX && getsAnother(file, ran, now)) {
                file.extra++;
                due.add(attempt(file, true));
            }
        }
        return due;
    }

    private Run attempt(File file, boolean extra) {
        Run run = new Run(file, extra);
        file.attempts++;
        file.running.add(run);
        return run;
    }

    private boolean getsAnother(File file, long ran, long now) {
        Run last = file.running.get(file.running.size() - 1);
        return file.write.mayBeOutrun()
                && last.thread != null
                && second.begin(file.write.bytes(), last.written, ran - last.beginNanos, ran - last.movedNanos, now);
    }

    /**
     * There is no thread for an attempt: it waits for its turn, unless nothing goes on that could be waited for. The one
     * that it was to help may have ended meanwhile.
     */
    private synchronized boolean putBack(Run run, boolean justBegun) {
        boolean others = justBegun
                || run.unwanted
                || active.stream()
                        .flatMap(file -> file.running.stream())
                        .anyMatch(other -> other != run && other.thread != null);
        if (others) {
            run.file.running.remove(run);
            run.file.attempts--;
            if (run.extra) {
                second.notBegun();
                endExtra(run.file, 0, clock.nanos());
            }
        }
        return others;
    }

    /** Waits until something may be due; false if the batch is over. */
    private boolean awaitChange() throws InterruptedException {
        CountDownLatch next;
        synchronized (this) {
            next = change;
        }
        clock.await(next, LOOK_NANOS);
        synchronized (this) {
            if (next.getCount() == 0) {
                change = new CountDownLatch(1);
            }
            return !isOver();
        }
    }

    synchronized boolean isOver() {
        return failure != null || (active.isEmpty() && next == files.size());
    }

    /** Takes note of how an attempt ended; whether its result is the file. */
    private synchronized boolean ended(Run run, T result, Throwable thrown) {
        run.leave();
        File file = run.file;
        file.running.remove(run);
        change.countDown();
        long now = clock.nanos();
        boolean wanted = file.result == null && failure == null;
        if (wanted && result != null) {
            file.result = result;
            file.write.won(result);
            active.remove(file);
            file.running.forEach(other -> other.unwanted = true);
            long ran = ran(now);
            run.moved(ran);
            second.wrote(file.write.bytes(), ran - run.beginNanos, run.pauseMax, run.extra, now);
            return true;
        }
        endExtra(file, run.written, now);
        if (wanted) {
            failed(file, thrown);
        }
        return false;
    }

    /** An attempt has ended for nothing: if the file had further ones, one less. */
    private void endExtra(File file, long lost, long now) {
        if (file.extra > 0) {
            file.extra--;
            second.end(file.write.bytes(), lost, now);
        }
    }

    private void failed(File file, Throwable thrown) {
        if (!(thrown instanceof IOException failed)) {
            fail(thrown);
            return;
        }
        if (file.failed != null && file.failed != failed) {
            failed.addSuppressed(file.failed);
        }
        file.failed = failed;
        if (file.attempts == ATTEMPTS_MAX && file.running.isEmpty()) {
            fail(failed);
        }
    }

    private synchronized void fail(Throwable cause) {
        if (failure != null) {
            if (failure != cause) {
                failure.addSuppressed(cause);
            }
            return;
        }
        failure = cause;
        active.forEach(file -> file.running.forEach(Run::cancel));
        change.countDown();
    }

    /** Cancels the batch: {@link #run} throws soon. After its end this does nothing. */
    @Override
    public synchronized void close() {
        if (failure == null && !(begun && isOver())) {
            fail(new CancellationException("the writes were cancelled"));
        }
    }
}
