package io.drey.jobs.digest;

import io.drey.jobs.generate.EventTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the digests of the only generated job in this process can be read while it runs. A bucket is shown when it is
 * complete in every subtask, and then it is final: what the job does after a restore adds the same again or more.
 *
 * <p>Static, because operators of an embedded cluster and whoever started it share nothing else. All access is under
 * one lock, which a subtask takes once in {@link #BUCKET_MS} of event time.
 */
public final class DigestBoard {
    /** Length of a bucket in event time; there is one event a millisecond. */
    public static final long BUCKET_MS = 10_000;

    /** More would mean a row with a time that no event has. */
    static final int BUCKETS_MAX = 1 << 20;

    private static final Object LOCK = new Object();
    private static Part[] parts = {};

    private static final class Part {
        private final Buckets buckets = new Buckets();
        private int complete;
    }

    private DigestBoard() {}

    /** Forgets everything: before another job. */
    public static void reset() {
        synchronized (LOCK) {
            parts = new Part[0];
        }
    }

    /** The complete buckets without a gap, by start, also those without rows. */
    public static List<BucketDigest> complete() {
        synchronized (LOCK) {
            int complete = parts.length == 0 ? 0 : Integer.MAX_VALUE;
            for (Part part : parts) {
                complete = Math.min(complete, part == null ? 0 : part.complete);
            }
            List<BucketDigest> all = new ArrayList<>(complete);
            for (int bucket = 0; bucket < complete; bucket++) {
                all.add(merge(bucket));
            }
            return List.copyOf(all);
        }
    }

    private static BucketDigest merge(int bucket) {
        long rows = 0;
        long sum = 0;
        for (Part part : parts) {
            rows += part.buckets.rows(bucket);
            sum += part.buckets.sum(bucket);
        }
        return new BucketDigest(EventTime.START_MS + bucket * BUCKET_MS, rows, sum);
    }

    /** A subtask begins, perhaps again. */
    static void begin(int subtask, int parallelism) {
        synchronized (LOCK) {
            if (parts.length != parallelism) {
                parts = new Part[parallelism];
            }
            parts[subtask] = new Part();
        }
    }

    /** The buckets of a subtask before {@code complete} are complete. */
    static void publish(int subtask, Buckets buckets, int complete) {
        synchronized (LOCK) {
            if (subtask < parts.length && parts[subtask] != null) {
                Part part = parts[subtask];
                part.buckets.addAll(buckets, part.complete, complete);
                part.complete = Math.max(part.complete, complete);
            }
        }
    }

    /** The bucket of a time, or -1 if there is none. */
    static int bucket(long eventTimeMs) {
        long bucket = Math.floorDiv(eventTimeMs - EventTime.START_MS, BUCKET_MS);
        return bucket < 0 || bucket >= BUCKETS_MAX ? -1 : (int) bucket;
    }
}
