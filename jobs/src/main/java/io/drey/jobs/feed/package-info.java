/** The source of every job: a data set replayed in the order of arrival, many times side by side, exactly once. */
package io.drey.jobs.feed;
