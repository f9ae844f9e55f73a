package io.drey.store.schedule;

/**
 * Runs the background jobs of stores, a small part at a time: between two parts of one job a more urgent one can have
 * the thread. Jobs of one store may run at the same time; none waits for another, but
 * for one that it ends.
 */
public interface Background {
    /** The work of a job. Its parts follow each other, maybe in different threads, each of which sees all before it. */
    interface Work {
        /**
         * Does a part that moves about so many bytes; false when the work has ended, well or not. What went wrong is
         * the work's own affair.
         */
        boolean step(int bytes);

        /**
         * The work ends before its time, for a reason that is not its own: its thread failed, or the threads were
         * closed. Told once, in any thread, and nothing after it; whoever waits goes on when it returns. Work that has
         * nobody to tell leaves it to the thread's handler.
         */
        default void abandoned(Throwable cause) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
        }

        /** About how many bytes it comes to, as its pace counts them; 0 if that is not known. */
        default long bytesInAll() {
            return 0;
        }

        /** Bytes read or written so far, as its pace counts them; asked between two parts. */
        default long bytes() {
            return 0;
        }

        /** So long it wants no further part; asked after each. */
        default long pauseNanos() {
            return 0;
        }

        /**
         * The pace that suffices for work that nobody waits for: so many bytes per second; infinite for as fast as it
         * can. Any thread.
         */
        default double bytesPerSecond() {
            return Double.POSITIVE_INFINITY;
        }

        /**
         * The part of that pace that work which gives way to others may count on; the rest it does where they leave
         * room. Any thread.
         */
        default double steadyBytesPerSecond() {
            return bytesPerSecond();
        }
    }

    /** Work that can be waited for. */
    interface Job {
        boolean isDone();

        /**
         * Waits until the job has run to its end or failed; a deterministic scheduler runs jobs here. The outcome is
         * the job's own affair.
         */
        void await() throws InterruptedException;

        /** Somebody cannot go on without it: from now on nothing is more urgent. */
        void hurry();

        /**
         * Takes it back, if no thread is in the midst of a part: then nobody does another one. It counts as done when
         * the last action has run, here.
         */
        void withdraw(Runnable last);
    }

    /** Runs work soon, the more urgent kinds first. Never blocks. */
    Job submit(Urgency urgency, Work work);

    /**
     * The order of jobs: the next part is always one of the most urgent kind, and of these of the job submitted first.
     */
    enum Urgency {
        /** What an owner waits for. */
        WAITED_FOR,
        /** Frozen records that become a run, also those of a checkpoint. */
        FLUSH,
        /** Compactions of a few young runs beside a long one: they cost little, and spare the owner a wait. */
        SHORT_COMPACTION,
        /**
         * Compactions on which the space of separated values depends; they give way to flushes, but not to what flushes
         * took before.
         */
        GARBAGE,
        COMPACTION
    }
}
