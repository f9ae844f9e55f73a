/** Feeds of the data set: replayed in the order of arrival, many times side by side. */
package io.drey.jobs.replay;
