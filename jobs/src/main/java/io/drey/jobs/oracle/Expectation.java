package io.drey.jobs.oracle;

import java.util.List;

/**
 * The result that a job must have.
 *
 * @param count number of rows
 * @param checksum sum of the digests of all rows modulo 2^64
 * @param first the earliest five rows as lines, ties by their text
 */
public record Expectation(long count, long checksum, List<String> first) {}
