package io.drey.jobs.feed;

/**
 * The events of one job in the order in which they are emitted. Replicas of a feed are emitted side by side: replica
 * {@code r} has the same events, with other keys and times. Immutable.
 *
 * @param <E> the type of event
 */
public interface Feed<E> {
    /** Number of events of one replica, {@link Long#MAX_VALUE} if it has no end. */
    long size();

    /** Shares out the events: those with the same number and replica are delivered in order. Not negative. */
    int key(long position);

    /** Event time in milliseconds since 1970, with the replica's shift. */
    long timestampMs(long position, int replica);

    /** A new event object. */
    E event(long position, int replica);
}
