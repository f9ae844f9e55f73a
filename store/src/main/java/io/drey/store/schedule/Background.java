package io.drey.store.schedule;

/** Runs the background jobs of stores. Jobs of one store may run at the same time; none waits for another. */
public interface Background {
    /** Work that can be waited for. */
    interface Job {
        boolean isDone();

        /**
         * Waits until the job has run to its end or failed; a deterministic scheduler runs jobs here. The outcome is the
         * job's own affair.
         */
        void await() throws InterruptedException;
    }

    /** Runs a task soon; the more urgent kinds first. Never blocks. */
    Job submit(Urgency urgency, Runnable task);

    /** The order in which kinds of jobs start. */
    enum Urgency {
        SEAL,
        MERGE
    }
}
