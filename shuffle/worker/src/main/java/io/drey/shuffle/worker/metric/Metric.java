package io.drey.shuffle.worker.metric;

/**
 * A metric as it is now.
 *
 * @param isCounter whether it only grows until the worker ends
 * @param directory whose it is; empty if it is the worker's
 */
public record Metric(String name, boolean isCounter, String directory, long value) {}
