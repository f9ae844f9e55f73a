package io.drey.jobs.oracle;

/** Computes the rows of one replica. */
interface ReplicaOracle {
    /**
     * Gives all rows of a replica to the consumer.
     *
     * @param suffix what the replica appends to keys
     * @param shiftMs what the replica adds to times
     */
    void rows(String suffix, long shiftMs, ExpectedRows rows);
}
