package io.drey.jobs.feed;

import java.time.Duration;

/**
 * The events of one job in the order in which they arrive. A feed is replayed by replicas: replica {@code r} has the
 * same events, with other keys ({@link Replica#key}) and later times ({@link Replica#shiftMs}), and the replicas run
 * side by side, so that state grows with their number. Immutable.
 *
 * @param <E> the type of event
 */
public interface Feed<E> {
    /** Number of events of one replica. */
    int size();

    /** Shares out the events: those with the same number and replica are delivered in order. Not negative. */
    int key(int position);

    /** Event time in milliseconds since 1970, with the replica's shift. */
    long timestampMs(int position, int replica);

    /** A new event object. */
    E event(int position, int replica);

    /** How much earlier than an event that arrived before it an event of the same replica can be. */
    Duration outOfOrderness();

    /** Whether the job keeps state until a watermark passes. */
    boolean waitsForWatermarks();
}
