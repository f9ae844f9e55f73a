package io.drey.jobs.replay;

import io.drey.jobs.feed.Feed;
import java.time.Duration;

/**
 * Events made of rows of the data set, in the order of arrival; a code says everything about one. Replica {@code r} has
 * other keys ({@link Replica#key}) and later times ({@link Replica#shiftMs}), so that state grows with the number of
 * replicas.
 *
 * @param <E> the type of event
 */
public abstract class ReplayFeed<E> implements Feed<E> {
    private final ArrivalOrder.Builder arrivals = new ArrivalOrder.Builder();
    private ArrivalOrder order;

    /** Adds an event while the feed is made. */
    protected final void add(long arrivalS, int code) {
        arrivals.add(arrivalS, code);
    }

    /** All events are there. */
    protected final void sort() {
        order = arrivals.build();
    }

    @Override
    public final long size() {
        return order.size();
    }

    @Override
    public final int key(long position) {
        return keyOf(order.code((int) position));
    }

    @Override
    public final long timestampMs(long position, int replica) {
        return timeOf(order.code((int) position), replica);
    }

    @Override
    public final E event(long position, int replica) {
        return make(order.code((int) position), replica);
    }

    /** Event time in milliseconds since 1970, with the replica's shift. */
    protected final long timeOf(int code, int replica) {
        return happenedS(code) * 1000 + Replica.shiftMs(replica);
    }

    /** See {@link Feed#key}. */
    protected abstract int keyOf(int code);

    /** Event time of replica 0, in seconds since 1970. */
    protected abstract long happenedS(int code);

    /** A new event object. */
    protected abstract E make(int code, int replica);

    /** The most that an event is earlier than one of the same replica that arrived before it. */
    protected Duration outOfOrderness() {
        return Lag.MAX;
    }

    /** Whether the job keeps state until a watermark passes. */
    protected abstract boolean waitsForWatermarks();
}
