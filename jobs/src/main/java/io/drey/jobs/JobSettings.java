package io.drey.jobs;

import io.drey.jobs.data.DataLocation;
import io.drey.jobs.feed.FailAfter;

/**
 * A user's choices about a job.
 *
 * @param input where the data set is
 * @param repeat number of replicas of the data set, at least 1
 * @param failAfter a failure on purpose, or null
 * @param output directory for the result rows as CSV files, or null
 */
public record JobSettings(DataLocation input, int repeat, FailAfter failAfter, String output) {}
