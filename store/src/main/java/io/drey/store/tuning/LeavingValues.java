package io.drey.store.tuning;

/**
 * What is done with the whole values of each table that leave memory; those of tables beyond the end stay as they are.
 *
 * @param thresholds the smallest that are separated, by table
 * @param compressed whether the others may be compressed by themselves, by table
 */
public record LeavingValues(int[] thresholds, boolean[] compressed) {}
