package io.drey.jobs.feed;

import java.io.IOException;
import java.io.Serializable;

/**
 * Makes a job's feed; travels with the job to where the source runs.
 *
 * @param <E> the type of event
 */
@FunctionalInterface
public interface FeedFactory<E> extends Serializable {
    /** @throws IOException if the input is missing or malformed */
    Feed<E> create() throws IOException;
}
