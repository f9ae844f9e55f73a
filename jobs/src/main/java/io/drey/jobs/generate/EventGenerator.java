package io.drey.jobs.generate;

import java.io.Serializable;

/**
 * Makes the events of a job: a pure function of the position, so that a replay brings the same events. Immutable,
 * called by one thread per source; allocates the event and nothing else.
 *
 * @param <E> the type of event
 */
@FunctionalInterface
public interface EventGenerator<E> extends Serializable {
    /** A new event object; the event's time is {@link EventTime#of}. */
    E event(long position);
}
