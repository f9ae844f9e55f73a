package io.drey.store.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Decides which job does its next part when: a pure policy, told the time and what each part cost. Guarded by its
 * owner's lock.
 *
 * <ol>
 *   <li>A job that is waited for goes whenever a thread is free, but for pauses of its own. Every other one keeps to
 *       the bytes per second that its work says suffice.
 *   <li>Compactions that free no values also keep, all together, to what the others take of processor time and I/Os on
 *       average plus their own steady pace. So a burst of flushes is made up for by compactions that pause, and the sum
 *       of both stays even.
 *   <li>The first part of a compaction waits a random moment, so that the compactions of many stores do not go in step:
 *       a small part of the time that the compaction may take, because a store whose compactions follow each other
 *       loses it each time.
 * </ol>
 */
final class JobQueue {
    /** What a volume counts as one I/O. */
    private static final double IO_BYTES = 256 << 10;

    /** The past that counts for what unpaced jobs and a paced byte cost. */
    private static final double COST_SECONDS = 20;

    /**
     * What remains of the cost of paced bytes with each part: that of whole compactions counts, whose parts cost more
     * at their end.
     */
    private static final double COST_KEPT = 1 - 1 / 2048.0;

    private static final double JITTER_SECONDS_MAX = 0.2;
    private static final double JITTER_PART_MAX = 0.05;

    /** What a byte is taken to cost in processor nanoseconds before any was paid for. */
    private static final double NANOS_PER_BYTE_PRIOR = 10;

    private static final double PRIOR_BYTES = 1 << 20;

    private final SplittableRandom jitter;
    private final List<QueuedJob> waiting = new ArrayList<>();
    private final List<QueuedJob> unfinished = new ArrayList<>();
    private final Budget cpu;
    private final Budget ios;
    private final Rate unpacedCpu;
    private final Rate unpacedIos;
    private double pacedNanos = NANOS_PER_BYTE_PRIOR * PRIOR_BYTES;
    private double pacedBytes = PRIOR_BYTES;
    private long submitted;
    private long last;

    JobQueue(long now, long seed) {
        jitter = new SplittableRandom(seed);
        cpu = new Budget(now);
        ios = new Budget(now);
        unpacedCpu = new Rate(now, COST_SECONDS);
        unpacedIos = new Rate(now, COST_SECONDS);
    }

    QueuedJob submit(long now, Background.Urgency urgency, Background.Work work, QueuedJob.Owner owner) {
        QueuedJob job = new QueuedJob(now, urgency, submitted++, work, owner);
        double bytesPerSecond = work.bytesPerSecond();
        if (isDeferred(job) && !Double.isInfinite(bytesPerSecond)) {
            job.budget.income(now, bytesPerSecond);
            double bytesMax = Math.min(bytesPerSecond * JITTER_SECONDS_MAX, work.bytesInAll() * JITTER_PART_MAX);
            job.budget.spend(bytesMax * jitter.nextDouble());
        }
        unfinished.add(job);
        waiting.add(job);
        return job;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    /** Drops all jobs, and returns those that are not in the midst of a part. */
    List<QueuedJob> clear() {
        List<QueuedJob> dropped = List.copyOf(waiting);
        waiting.clear();
        unfinished.clear();
        return dropped;
    }

    /** Takes back a {@link #submit}. */
    void remove(QueuedJob job) {
        waiting.remove(job);
        unfinished.remove(job);
    }

    /** The same, unless the job is in the midst of a part; then false. */
    boolean withdraw(QueuedJob job) {
        return waiting.remove(job) && unfinished.remove(job);
    }

    /** Takes out the job whose turn it is; null if there is none, or none whose time has come. */
    QueuedJob take(long now) {
        refill(now);
        QueuedJob first = null;
        for (int i = 0; i < waiting.size(); i++) {
            QueuedJob job = waiting.get(i);
            if (delayNanos(job) == 0 && (first == null || job.compareTo(first) < 0)) {
                first = job;
            }
        }
        waiting.remove(first);
        return first;
    }

    /** Nanoseconds after the last {@link #take} until a job's time comes, if none is hurried or comes in before. */
    long delayNanos() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < waiting.size(); i++) {
            least = Math.min(least, delayNanos(waiting.get(i)));
        }
        return least;
    }

    /** A job did a part; if there is more to do it waits for its next turn. */
    void done(QueuedJob job, long now, long cpuNanos, boolean more) {
        long bytes = job.work.bytes() - job.bytes;
        job.bytes += bytes;
        job.budget.spend(bytes);
        if (isDeferred(job) && isPaced(job)) {
            pacedNanos = pacedNanos * COST_KEPT + cpuNanos;
            pacedBytes = pacedBytes * COST_KEPT + bytes;
        } else {
            unpacedCpu.add(now, cpuNanos);
            unpacedIos.add(now, bytes / IO_BYTES);
        }
        cpu.spend(cpuNanos);
        ios.spend(bytes / IO_BYTES);
        if (more) {
            job.beginNanos = now + job.work.pauseNanos();
            waiting.add(job);
        } else {
            unfinished.remove(job);
        }
    }

    private void refill(long now) {
        last = now;
        double steadyBytesPerSecond = 0;
        for (int i = 0; i < unfinished.size(); i++) {
            QueuedJob job = unfinished.get(i);
            job.bytesPerSecond = job.work.bytesPerSecond();
            if (isPaced(job)) {
                job.budget.income(now, job.bytesPerSecond);
                steadyBytesPerSecond += isDeferred(job) ? job.work.steadyBytesPerSecond() : 0;
            }
        }
        cpu.income(now, unpacedCpu.perSecond(now) + steadyBytesPerSecond * pacedNanos / pacedBytes);
        ios.income(now, unpacedIos.perSecond(now) + steadyBytesPerSecond / IO_BYTES);
    }

    /** Whether the job gives way to what the others take. */
    private static boolean isDeferred(QueuedJob job) {
        return job.urgency() == Background.Urgency.COMPACTION;
    }

    private static boolean isPaced(QueuedJob job) {
        return job.urgency() != Background.Urgency.WAITED_FOR && !Double.isInfinite(job.bytesPerSecond);
    }

    private long delayNanos(QueuedJob job) {
        long own = Math.max(0, job.beginNanos - last);
        if (!isPaced(job)) {
            return own;
        }
        own = Math.max(own, job.budget.delayNanos());
        return isDeferred(job) ? Math.max(own, Math.max(cpu.delayNanos(), ios.delayNanos())) : own;
    }
}
