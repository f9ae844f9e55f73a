package io.drey.jobs.feed;

import io.drey.jobs.data.DataSet;
import java.io.Serializable;

/**
 * Builds a job's feed from a data set; travels with the job to where the source runs.
 *
 * @param <E> the type of event
 */
@FunctionalInterface
public interface FeedFactory<E> extends Serializable {
    Feed<E> create(DataSet data);
}
