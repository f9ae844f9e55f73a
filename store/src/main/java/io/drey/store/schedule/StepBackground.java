package io.drey.store.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs jobs in the calling thread, a part at each {@link #step()} or all of one when somebody waits for it: with a
 * seeded caller, the seed is the interleaving. For tests and models. One thread.
 */
public final class StepBackground implements Background {
    /** Small beside the runs of models, so that jobs are interrupted in their midst. */
    private static final int STEP_BYTES = 1 << 10;

    private final int stepBytes;
    private final List<StepJob> jobs = new ArrayList<>();
    private long submitted;

    public StepBackground() {
        this(STEP_BYTES);
    }

    public StepBackground(int stepBytes) {
        this.stepBytes = stepBytes;
    }

    @Override
    public Job submit(Urgency urgency, Work work) {
        StepJob job = new StepJob(urgency, submitted++, work);
        jobs.add(job);
        return job;
    }

    public int pending() {
        return jobs.size();
    }

    /** Runs the next part of the most urgent job, if there is one. */
    public boolean step() {
        if (jobs.isEmpty()) {
            return false;
        }
        jobs.stream().min(JobOrder::compareTo).orElseThrow().run();
        return true;
    }

    private final class StepJob extends JobOrder {
        private final Work work;
        private boolean running;
        private boolean done;

        StepJob(Urgency urgency, long sequence, Work work) {
            super(urgency, sequence);
            this.work = work;
        }

        void run() {
            if (running) {
                throw new IllegalStateException("expected a job between two steps, found it in the midst of one");
            }
            running = true;
            boolean more = false;
            try {
                more = work.step(stepBytes);
            } finally {
                running = false;
                if (!more) {
                    done = true;
                    jobs.remove(this);
                }
            }
        }

        @Override
        public void withdraw(Runnable last) {
            if (!running && jobs.remove(this)) {
                last.run();
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
                run();
            }
        }
    }
}
