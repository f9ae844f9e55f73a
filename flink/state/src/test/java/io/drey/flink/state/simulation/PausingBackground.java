package io.drey.flink.state.simulation;

import io.drey.flink.state.memory.Surroundings;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.StepBackground;
import io.drey.testkit.Coroutine;

/** Runs background jobs a part at a time, with a pause after each part if it is a coroutine that waits for the job. */
final class PausingBackground implements Background, Surroundings.Lease {
    private final StepBackground steps = new StepBackground();
    private final Tally tally;

    PausingBackground(Tally tally) {
        this.tally = tally;
    }

    boolean step() {
        return steps.step();
    }

    boolean isIdle() {
        return steps.pending() == 0;
    }

    @Override
    public Job submit(Urgency urgency, Work work) {
        tally.count(urgency == Urgency.FLUSH ? Tally.Event.FLUSH : Tally.Event.COMPACTION);
        Job job = steps.submit(urgency, work);
        return new Job() {
            @Override
            public boolean isDone() {
                return job.isDone();
            }

            @Override
            public void await() {
                job.hurry();
                while (!job.isDone()) {
                    steps.step();
                    Coroutine.pause();
                }
            }

            @Override
            public void withdraw(Runnable last) {
                job.withdraw(last);
            }

            @Override
            public void hurry() {
                job.hurry();
            }
        };
    }

    @Override
    public Background background() {
        return this;
    }

    @Override
    public void close() {
        // The stores that used it have ended their jobs.
    }
}
