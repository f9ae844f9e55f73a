package io.drey.store.schedule;

import java.util.concurrent.CountDownLatch;

/** A job in a {@link JobQueue}, whose owner's lock guards all but what a {@link Background.Job} does. */
final class QueuedJob extends JobOrder {
    final Background.Work work;
    final Budget budget;
    double bytesPerSecond = Double.POSITIVE_INFINITY;

    /** What the work has moved by the parts that are paid for. */
    long bytes;

    /** Its next part begins no sooner. */
    long beginNanos;

    private final CountDownLatch done = new CountDownLatch(1);

    private final Owner owner;

    /** The owner of the queue; told in any thread. */
    @FunctionalInterface
    interface Owner {
        void hurried();

        /** Takes a job out of the queue; false if it is not in there. */
        default boolean withdraw(QueuedJob job) {
            return false;
        }
    }

    QueuedJob(long now, Background.Urgency urgency, long sequence, Background.Work work, Owner owner) {
        super(urgency, sequence);
        this.owner = owner;
        this.work = work;
        this.budget = new Budget(now);
        this.beginNanos = now;
    }

    @Override
    public void hurry() {
        super.hurry();
        owner.hurried();
    }

    @Override
    public void withdraw(Runnable last) {
        if (owner.withdraw(this)) {
            try {
                last.run();
            } finally {
                end();
            }
        }
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
