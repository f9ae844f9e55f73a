package io.drey.testkit;

import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * Work that goes on when it is told to, and stands still at the places where it pauses, in the midst of whatever calls
 * it. It has a thread of its own, as the work may want to know, but that never runs at the same time as the one that
 * resumes it: so a caller with a seed decides all that happens. An interrupt is kept until it is looked for.
 */
public final class Coroutine {
    /** Threads without work. */
    private static final ArrayDeque<Worker> IDLE = new ArrayDeque<>();

    private final Body body;
    private Worker worker;
    private int pausesLeft;
    private boolean done;
    private Throwable failure;

    /** Work that may fail. */
    @FunctionalInterface
    public interface Body {
        void run() throws Exception;
    }

    /** Work that has not begun. */
    public Coroutine(Body body) {
        this.body = body;
    }

    /** Lets the work go on until it pauses for the given time, from 1 on, or ends; whether it has ended. */
    public boolean resume(int pauses) {
        if (done) {
            return true;
        }
        if (Thread.currentThread() instanceof Worker) {
            throw new IllegalStateException("expected work to be resumed from outside, found it resumed by other work");
        }
        if (worker == null) {
            worker = worker();
            worker.work = this;
        }
        pausesLeft = pauses;
        worker.handOver();
        if (done) {
            synchronized (IDLE) {
                IDLE.add(worker);
            }
            worker = null;
        }
        return done;
    }

    /** Stands still until somebody resumes the work that calls this; nothing in any other thread. */
    public static void pause() {
        if (Thread.currentThread() instanceof Worker current && --current.work.pausesLeft <= 0) {
            current.handBack();
        }
    }

    /** The same, however many pauses the work may still make: it can do nothing before others have done something. */
    public static void rest() {
        if (Thread.currentThread() instanceof Worker current) {
            current.handBack();
        }
    }

    public boolean isDone() {
        return done;
    }

    /** What the work threw, or null. */
    public Throwable failure() {
        return failure;
    }

    /** The thread of work that has begun and not ended, else null. */
    public Thread thread() {
        return worker;
    }

    private static Worker worker() {
        Worker found;
        synchronized (IDLE) {
            found = IDLE.poll();
        }
        if (found == null) {
            found = new Worker();
            found.setDaemon(true);
            found.start();
        }
        return found;
    }

    private void run() {
        try {
            body.run();
        } catch (Throwable e) {
            // The top of this thread: whoever resumes looks at it.
            failure = e;
        } finally {
            Thread.interrupted();
            done = true;
        }
    }

    /** A thread that has the turn, or waits for it. */
    private static final class Worker extends Thread {
        private volatile Thread resumer;
        private volatile boolean hasTurn;
        private Coroutine work;

        Worker() {
            super("coroutine");
        }

        @Override
        public void run() {
            while (true) {
                awaitTurn(true);
                work.run();
                work = null;
                hasTurn = false;
                LockSupport.unpark(resumer);
            }
        }

        /** Of the one who resumes: gives the turn away, and waits until it is back. */
        void handOver() {
            resumer = Thread.currentThread();
            hasTurn = true;
            LockSupport.unpark(this);
            awaitTurn(false);
        }

        void handBack() {
            hasTurn = false;
            LockSupport.unpark(resumer);
            awaitTurn(true);
        }

        private void awaitTurn(boolean mine) {
            boolean interrupted = false;
            while (hasTurn != mine) {
                // At once: whoever has the turn needs the processor.
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
