package io.drey.shuffle.client;

import java.util.List;

/**
 * A partition that is complete.
 *
 * @param holders workers that have it, with their addresses, in the order of their first regions
 * @param subpartitionBytes as its producer counted them
 */
public record Commit(List<Candidate> holders, long[] subpartitionBytes) {}
