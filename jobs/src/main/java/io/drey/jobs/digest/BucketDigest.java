package io.drey.jobs.digest;

/**
 * The output rows that belong to a stretch of event time.
 *
 * @param startMs its begin in milliseconds since 1970; it is {@link DigestBoard#BUCKET_MS} long
 * @param rows how many rows
 * @param sum of their digests modulo 2^64, so that their order does not matter
 */
public record BucketDigest(long startMs, long rows, long sum) {}
