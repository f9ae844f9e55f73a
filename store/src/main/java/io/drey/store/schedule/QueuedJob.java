package io.drey.store.schedule;

import java.util.concurrent.CountDownLatch;

/** A job in a {@link JobQueue}, whose owner's lock guards all but what a {@link Background.Job} does. */
final class QueuedJob extends JobOrder {
    final Background.Work work;
    final Budget budget;
    double bytesPerSecond = Double.POSITIVE_INFINITY;

    /** What the work has moved by the parts that are paid for. */
    long bytes;

    private final CountDownLatch done = new CountDownLatch(1);

    private final Runnable onHurry;

    QueuedJob(long now, Background.Urgency urgency, long sequence, Background.Work work, Runnable onHurry) {
        super(urgency, sequence);
        this.onHurry = onHurry;
        this.work = work;
        this.budget = new Budget(now);
    }

    @Override
    public void hurry() {
        super.hurry();
        onHurry.run();
    }

    void end() {
        done.countDown();
    }

    @Override
    public boolean isDone() {
        return done.getCount() == 0;
    }

    @Override
    public void await() throws InterruptedException {
        done.await();
    }
}
