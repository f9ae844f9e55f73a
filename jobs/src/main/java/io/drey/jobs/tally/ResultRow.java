package io.drey.jobs.tally;

/** A row of a job's result. */
public interface ResultRow {
    /** A hash over all fields, as {@link Digest} makes it. */
    long digest();

    /** Event time of the row in milliseconds since 1970. */
    long timestampMs();

    /** The row as a CSV line. */
    String line();
}
