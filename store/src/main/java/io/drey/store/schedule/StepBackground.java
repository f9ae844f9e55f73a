package io.drey.store.schedule;

import java.util.ArrayDeque;

/**
 * Runs jobs in the calling thread, one at each {@link #step()} or when somebody waits for one: with a seeded caller, the
 * seed is the interleaving. For tests and models. One thread.
 */
public final class StepBackground implements Background {
    private final ArrayDeque<StepJob> queue = new ArrayDeque<>();

    @Override
    public Job submit(Urgency urgency, Runnable task) {
        StepJob job = new StepJob(task);
        if (urgency == Urgency.SEAL) {
            queue.addFirst(job);
        } else {
            queue.addLast(job);
        }
        return job;
    }

    public int pending() {
        return queue.size();
    }

    /** Runs the next job, if there is one. */
    public boolean step() {
        StepJob job = queue.pollFirst();
        if (job == null) {
            return false;
        }
        job.run();
        return true;
    }

    private final class StepJob implements Job {
        private final Runnable task;
        private boolean done;

        StepJob(Runnable task) {
            this.task = task;
        }

        void run() {
            try {
                task.run();
            } finally {
                done = true;
            }
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public void await() {
            while (!done) {
                if (queue.remove(this)) {
                    run();
                } else {
                    throw new IllegalStateException("expected a queued job, found one that is running already");
                }
            }
        }
    }
}
