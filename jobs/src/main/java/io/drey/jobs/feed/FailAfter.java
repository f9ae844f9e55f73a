package io.drey.jobs.feed;

import java.io.Serializable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A failure on purpose: the source throws once, when it has emitted a number of events in this process. The count and
 * the fact that it fired are kept per run outside the job, so that the job that Flink restarts does not fail again.
 *
 * @param run names the run
 * @param events how many events until the failure, at least 1
 */
public record FailAfter(String run, long events) implements Serializable {
    private static final ConcurrentHashMap<String, AtomicLong> COUNTS = new ConcurrentHashMap<>();

    /** The failure that the source throws. */
    public static final class InjectedFailureException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InjectedFailureException(long events) {
            super("Failure on purpose after " + events + " events");
        }
    }

    /** The counter of this run. */
    AtomicLong counter() {
        return COUNTS.computeIfAbsent(run, key -> new AtomicLong());
    }

    /** Whether the failure has happened in this process. */
    public boolean fired() {
        return counter().get() >= events;
    }

    /** Counts one event; exactly one caller per run sees the count reach the limit and throws. */
    void count(AtomicLong counter) {
        if (counter.incrementAndGet() == events) {
            throw new InjectedFailureException(events);
        }
    }
}
